import { newId } from '../crypto/ids.js';
import { insertColumns } from '../database/insert-columns.js';
import type { TrailingInsert } from '../database/trailing-rows.js';
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
);

/**
 * Writes events within a larger statement; `Outbox.wake` has them dispatched.
 *
 * @param rows a query for id, workspace, environment, type, data and the run that caused the event
 */
export function insertEvents(rows: string): string {
  return `INSERT INTO events (${EVENT.columns}) ${rows}`;
}

/** Rows for `insertEvents`: those of the named parameter `:events`. */
export function givenEvents(): string {
  return `SELECT ${EVENT.given} FROM ${EVENT.recordset(':events')}`;
}

/** The value of the parameter `:events`. */
export function eventRows(events: readonly NewEvent[]): string {
  return JSON.stringify(events.map(eventRow));
}

export function eventRow(event: NewEvent): NewEvent & { id: string } {
  return { ...event, id: newId('event') };
}

/** Writes the events of a parameter. */
export const insertGivenEvents: TrailingInsert = (parameter) =>
  insertEvents(`SELECT ${EVENT.given} FROM ${EVENT.recordset(parameter)}`);
