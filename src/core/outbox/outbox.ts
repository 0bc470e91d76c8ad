import { Injectable } from '@nestjs/common';

import { newId } from '../crypto/ids.js';
import { Database } from '../database/database.js';
import { Waker } from '../work/waker.js';
import { insertEvents } from './insert-events.sql.js';

/** Wakes whoever carries events out of the outbox. */
export const EVENTS = 'events';

export interface NewEvent {
  workspaceId: string;
  /** null: an event of the whole workspace. */
  environmentId: string | null;
  /** Dotted, as in the catalogue of event types. */
  type: string;
  data: Record<string, unknown>;
  /** The run that caused the event: chains of triggers are followed by it. */
  causedByRunId?: string;
}

const INSERT = insertEvents('VALUES ($1, $2, $3, $4, $5, $6)');

const INSERT_MANY = insertEvents(`
  SELECT id, workspace_id, environment_id, type, data, caused_by_run_id
  FROM json_to_recordset($1) AS e(id text, workspace_id text, environment_id text, type text, data jsonb,
    caused_by_run_id text)`);

/** Writes events in the transaction of the change that they report. They are dispatched after its commit. */
@Injectable()
export class Outbox {
  constructor(
    private readonly database: Database,
    private readonly waker: Waker,
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
    ]);
    this.wake();
    return id;
  }

  /** Many events in one statement. */
  async addMany(events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const rows = events.map((event) => ({
      id: newId('event'),
      workspace_id: event.workspaceId,
      environment_id: event.environmentId,
      type: event.type,
      data: event.data,
      caused_by_run_id: event.causedByRunId ?? null,
    }));
    await this.database.query(INSERT_MANY, [JSON.stringify(rows)]);
    this.wake();
  }

  /** To be called where events are written by another statement: they are dispatched as soon as they are committed. */
  wake(): void {
    this.waker.wake(EVENTS);
  }
}
