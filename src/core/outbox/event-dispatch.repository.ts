import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import type { DispatchedEvent } from './event-consumers.js';

@Injectable()
export class EventDispatchRepository {
  constructor(private readonly database: Database) {}

  /**
   * Marks the next events as dispatched and returns them in their order. Other processes skip them until the surrounding
   * transaction ends; if it rolls back, they are waiting again.
   */
  async claim(count: number): Promise<DispatchedEvent[]> {
    const events = await this.database.query<DispatchedEvent>(CLAIM, [count]);
    return events.sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** Marks an event as waiting again, but not before some seconds have passed. */
  async postpone(id: string, seconds: number): Promise<void> {
    await this.database.execute(
      `UPDATE events SET dispatched_at = NULL, dispatch_after = now() + $2::int * interval '1 second' WHERE id = $1`,
      [id, seconds],
    );
  }
}

/** Each row has its own mark; going on after the last id would miss events of a transaction that commits late. */
const CLAIM = `
  WITH next AS MATERIALIZED (
    SELECT id FROM events WHERE dispatched_at IS NULL AND (dispatch_after IS NULL OR dispatch_after <= now())
    ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  UPDATE events e SET dispatched_at = now() FROM next WHERE e.id = next.id
  RETURNING e.id, e.workspace_id AS "workspaceId", e.environment_id AS "environmentId", e.type, e.data,
    e.caused_by_run_id AS "causedByRunId", e.created_at AS "createdAt", e.traceparent`;
