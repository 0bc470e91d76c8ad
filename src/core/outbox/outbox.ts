import { Injectable } from '@nestjs/common';

import { Causes } from '../causes/index.js';
import { Database } from '../database/index.js';
import { Tracing } from '../tracing/index.js';
import { Waker } from '../work/index.js';
import { type ChainedEvent, eventRow, insertGivenEvents } from './insert-events.sql.js';
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
    private readonly causes: Causes,
  ) {}

  async add(event: NewEvent): Promise<void> {
    await this.write(event);
  }

  /** The same; returns the event's id. */
  async write(event: NewEvent): Promise<string> {
    const row = eventRow(this.caused(event), this.tracing.traceparent);
    await this.insert([row]);
    return row.id;
  }

  async addMany(events: readonly NewEvent[]): Promise<void> {
    if (events.length > 0) await this.insert(this.given(events));
  }

  /** For another statement with `givenEvents`: the value of its parameter `:events`. */
  rowsOf(events: readonly NewEvent[]): string {
    return JSON.stringify(this.given(events));
  }

  /** To be called where events are written by another statement: they are dispatched as soon as they are committed. */
  wake(): void {
    this.waker.wake(EVENTS);
  }

  private given(events: readonly NewEvent[]): object[] {
    const { traceparent } = this.tracing;
    return events.map((event) => eventRow(this.caused(event), traceparent));
  }

  /**
   * What a script asked for is caused by its run, where the event does not name another. What a handler tells of is in the chain
   * of its event, whatever else it names.
   */
  private caused(event: NewEvent): ChainedEvent {
    const causedByRunId = event.causedByRunId ?? this.causes.runIn(event.workspaceId);
    const { hops = 0, chainEventId = null } = this.causes.event ?? {};
    return { ...event, ...(causedByRunId !== null && { causedByRunId }), hops, chainEventId };
  }

  private async insert(rows: readonly object[]): Promise<void> {
    await this.database.insertLast(insertGivenEvents, rows);
    this.wake();
  }
}
