import { newId } from '../crypto/index.js';
import { insertColumns, type TrailingInsert } from '../database/index.js';
import type { NewEvent } from './new-event.js';
import { OutboxEvent } from './outbox-event.entity.js';

const TOLD = ['id', 'workspaceId', 'environmentId', 'type', 'data', 'causedByRunId', 'traceparent'] as const;
const EVENT = insertColumns(OutboxEvent, ...TOLD);
/** One that a handler may have told of. */
const CHAINED = insertColumns(OutboxEvent, ...TOLD, 'hops', 'chainEventId');

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

/** An event with its place in the chain of the event that a handler is called for. */
export type ChainedEvent = NewEvent & Pick<OutboxEvent, 'hops' | 'chainEventId'>;
type EventRow = ChainedEvent & { id: string; traceparent: string | null };

/** @param traceparent the trace in which it happened */
export function eventRow(event: ChainedEvent, traceparent: string | null): EventRow {
  return { ...event, traceparent, id: newId('event') };
}

/** Writes the events of a parameter. */
export const insertGivenEvents: TrailingInsert = (parameter) =>
  `INSERT INTO events (${CHAINED.columns}) SELECT ${CHAINED.given} FROM ${CHAINED.recordset(parameter)}`;
