import { columns, type Columns } from '../database/index.js';
import { OutboxEvent } from './outbox-event.entity.js';

/** The columns of an event that make up what is sent of it. */
export interface EventText {
  eventId: string;
  eventType: string;
  createdAt: Date;
  /** As the database writes it, which is the same each time. */
  data: string;
}

/** The columns of an `EventText`, of `events v`. */
export const EVENT_TEXT =
  `v.id AS "eventId", v.type AS "eventType", ${columns(OutboxEvent, 'v', 'createdAt')},
  v.data::text AS data` as Columns<EventText>;

/** An event as receivers of webhooks and followers of the stream get it, in JSON. */
export function eventBody({ eventId, eventType, createdAt, data }: EventText): string {
  const head = JSON.stringify({ id: eventId, type: eventType, createdAt: createdAt.toISOString() });
  return `${head.slice(0, -1)},"data":${data}}`;
}
