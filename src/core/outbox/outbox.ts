import { Injectable } from '@nestjs/common';

import { newId } from '../crypto/ids.js';
import { Database } from '../database/database.js';
import { named } from '../database/named-parameters.js';
import { Tracing } from '../tracing/tracing.js';
import { Waker } from '../work/waker.js';
import { eventRows, givenEvents, insertEvents } from './insert-events.sql.js';
import type { NewEvent } from './new-event.js';

/** Wakes whoever carries events out of the outbox. */
export const EVENTS = 'events';

const INSERT = insertEvents('VALUES ($1, $2, $3, $4, $5, $6, $7)');
const INSERT_MANY = named<{ events: string }>(insertEvents(givenEvents()));

/** Writes events in the transaction of the change that they report. They are dispatched after its commit. */
@Injectable()
export class Outbox {
  constructor(
    private readonly database: Database,
    private readonly waker: Waker,
    private readonly tracing: Tracing,
  ) {}

  async add(event: NewEvent): Promise<void> {
    await this.write(event);
  }

  /** The same; returns the event's id. */
  async write(event: NewEvent): Promise<string> {
    const id = newId('event');
    await this.database.query(INSERT, [
      id,
      event.workspaceId,
      event.environmentId,
      event.type,
      JSON.stringify(event.data),
      event.causedByRunId ?? null,
      this.tracing.traceparent,
    ]);
    this.wake();
    return id;
  }

  /** Many events in one statement. */
  async addMany(events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    await this.database.execute(...INSERT_MANY({ events: this.rowsOf(events) }));
    this.wake();
  }

  /** For another statement with `givenEvents`: the value of its parameter `:events`. */
  rowsOf(events: readonly NewEvent[]): string {
    return eventRows(events, this.tracing.traceparent);
  }

  /** To be called where events are written by another statement: they are dispatched as soon as they are committed. */
  wake(): void {
    this.waker.wake(EVENTS);
  }
}
