import { newId } from '../crypto/ids.js';
import { insertColumns } from '../database/insert-columns.js';
import type { NewEvent } from './new-event.js';
import { OutboxEvent } from './outbox-event.entity.js';

const EVENT = insertColumns(
  OutboxEvent,
  'id',
  'workspaceId',
  'environmentId',
  'type',
  'data',
  'causedByRunId',
  'traceparent',
);

/**
 * Writes events within a larger statement; `Outbox.wake` has them dispatched.
 *
 * @param rows a query for id, workspace, environment, type, data, the run that caused the event and the trace
 */
export function insertEvents(rows: string): string {
  return `INSERT INTO events (${EVENT.columns}) ${rows}`;
}

/** Rows for `insertEvents`: those of the named parameter `:events`. */
export function givenEvents(): string {
  return `SELECT ${EVENT.given} FROM ${EVENT.recordset(':events')}`;
}

/** The value of the parameter `:events`. @param traceparent the trace in which all of them happened */
export function eventRows(events: readonly NewEvent[], traceparent: string | null): string {
  return JSON.stringify(events.map((event) => ({ ...event, traceparent, id: newId('event') })));
}
