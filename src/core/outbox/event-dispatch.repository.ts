import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import type { DispatchedEvent } from './event-consumers.js';

@Injectable()
export class EventDispatchRepository {
  constructor(private readonly database: Database) {}

  /**
   * Marks the next events as dispatched and returns them. Part of a transaction: until it commits, no other process sees
   * them, and if it does not, they are as before.
   */
  claim(count: number): Promise<DispatchedEvent[]> {
    return this.database.query<DispatchedEvent>(CLAIM, [count]);
  }

  /** Keeps an event that cannot be dispatched from being tried again at once, and from being in the way of others. */
  async postpone(count: number, seconds: number): Promise<void> {
    await this.database.execute(POSTPONE, [count, seconds]);
  }
}

/** By row, never by «greater than the last one»: a transaction that began early may commit late. */
const NEXT = `
  SELECT id FROM events WHERE dispatched_at IS NULL AND (dispatch_after IS NULL OR dispatch_after <= now())
  ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED`;

const CLAIM = `
  WITH next AS MATERIALIZED (${NEXT})
  UPDATE events e SET dispatched_at = now() FROM next WHERE e.id = next.id
  RETURNING e.id, e.workspace_id AS "workspaceId", e.environment_id AS "environmentId", e.type, e.data,
    e.caused_by_run_id AS "causedByRunId", e.created_at AS "createdAt"`;

const POSTPONE = `
  WITH next AS MATERIALIZED (${NEXT})
  UPDATE events e SET dispatch_after = now() + $2::int * interval '1 second' FROM next WHERE e.id = next.id`;
