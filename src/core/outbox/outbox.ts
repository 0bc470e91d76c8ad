import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import { Tracing } from '../tracing/tracing.js';
import { Waker } from '../work/waker.js';
import { type EventRow, eventRow, insertGivenEvents } from './insert-events.sql.js';
import type { NewEvent } from './new-event.js';

/** Wakes whoever carries events out of the outbox. */
export const EVENTS = 'events';

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
    const row = this.rowOf(event);
    await this.insert([row]);
    return row.id;
  }

  async addMany(events: readonly NewEvent[]): Promise<void> {
    if (events.length > 0) await this.insert(events.map((event) => this.rowOf(event)));
  }

  /** For another statement with `givenEvents`: the value of its parameter `:events`. */
  rowsOf(events: readonly NewEvent[]): string {
    return JSON.stringify(events.map((event) => this.rowOf(event)));
  }

  /** To be called where events are written by another statement: they are dispatched as soon as they are committed. */
  wake(): void {
    this.waker.wake(EVENTS);
  }

  private rowOf(event: NewEvent): EventRow {
    return eventRow(event, this.tracing.traceparent);
  }

  private async insert(rows: readonly EventRow[]): Promise<void> {
    await this.database.insertLast(insertGivenEvents, rows);
    this.wake();
  }
}
