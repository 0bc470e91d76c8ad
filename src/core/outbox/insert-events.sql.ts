import { newId } from '../crypto/index.js';
import { insertColumns, type TrailingInsert } from '../database/index.js';
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

type EventRow = NewEvent & { id: string; traceparent: string | null };

/** @param traceparent the trace in which it happened */
export function eventRow(event: NewEvent, traceparent: string | null): EventRow {
  return { ...event, traceparent, id: newId('event') };
}

/** Writes the events of a parameter. */
export const insertGivenEvents: TrailingInsert = (parameter) =>
  insertEvents(`SELECT ${EVENT.given} FROM ${EVENT.recordset(parameter)}`);
