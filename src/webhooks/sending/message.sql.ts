import { type Columns, columns } from '../../core/database/columns.js';
import { WorkspaceKey } from '../../core/keys/workspace-key.entity.js';
import { OutboxEvent } from '../../core/outbox/outbox-event.entity.js';
import type { EventText } from './attempt.js';

/** What opens signing secrets, of `workspace_keys k`. */
export const KEY = columns(WorkspaceKey, 'k', 'workspaceId', 'masterKeyId', 'sealedKey');

/** What makes up a message, of `events v`. Its data is text, so that each attempt sends the same bytes. */
export const EVENT_TEXT =
  `v.id AS "eventId", v.type AS "eventType", ${columns(OutboxEvent, 'v', 'createdAt')},
  v.data::text AS data` as Columns<EventText>;
