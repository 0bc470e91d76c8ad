import { columns } from '../../database/index.js';
import { EVENT_TEXT, type EventText } from '../event-body.js';
import { OutboxEvent } from '../outbox-event.entity.js';

export type StreamedEvent = EventText & Pick<OutboxEvent, 'workspaceId' | 'environmentId'>;

const STREAMED = `${EVENT_TEXT}, ${columns(OutboxEvent, 'v', 'workspaceId', 'environmentId')}`;

/** SQL, since it is hot: each event goes to whoever follows, its data as the text that it is stored as. */
export const FIND = `SELECT ${STREAMED} FROM events v WHERE v.id = ANY($1::text[])`;

/** SQL: by when another event was dispatched. */
export const SINCE = `
  SELECT ${STREAMED} FROM events v
  WHERE v.workspace_id = $1 AND v.id >= $3 AND v.id <> $2 AND v.dispatched_at >= COALESCE(
    (SELECT last.dispatched_at - interval '5 seconds' FROM events last WHERE last.id = $2 AND last.workspace_id = $1),
    '-infinity')
  ORDER BY v.id LIMIT $4`;
