import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import { fairBatch } from '../work/fair-claim.sql.js';
import type { DispatchedEvent } from './event-consumers.js';

@Injectable()
export class EventDispatchRepository {
  constructor(private readonly database: Database) {}

  /**
   * Marks the next events as dispatched and returns them in their order; all workspaces that have any have their part of
   * them. Other processes skip them until the surrounding transaction ends; if it rolls back, they are waiting again.
   *
   * @returns `more`: a workspace has its part, and may have more
   */
  async claim(count: number): Promise<{ events: DispatchedEvent[]; more: boolean }> {
    const rows = await this.database.query<DispatchedEvent & { most: number }>(CLAIM, [count]);
    const left = new Map(rows.map(({ workspaceId, most }) => [workspaceId, most]));
    for (const { workspaceId } of rows) left.set(workspaceId, left.get(workspaceId)! - 1);
    const events = rows.sort((one, other) => (one.id < other.id ? -1 : 1));
    return { events, more: [...left.values()].includes(0) };
  }

  /** Marks an event as waiting again, but not before some seconds have passed. */
  async postpone(id: string, seconds: number): Promise<void> {
    await this.database.execute(
      `UPDATE events SET dispatched_at = NULL, dispatch_after = now() + $2::int * interval '1 second' WHERE id = $1`,
      [id, seconds],
    );
  }
}

const BATCH = fairBatch(
  { table: 'events', waits: 'dispatched_at IS NULL AND (dispatch_after IS NULL OR dispatch_after <= now())' },
  '$1::int',
);

/** Each row has its own mark; going on after the last id would miss events of a transaction that commits late. */
const CLAIM = `
  WITH RECURSIVE ${BATCH}
  UPDATE events e SET dispatched_at = now() FROM batch WHERE e.id = batch.id
  RETURNING e.id, e.workspace_id AS "workspaceId", e.environment_id AS "environmentId", e.type, e.data,
    e.caused_by_run_id AS "causedByRunId", e.created_at AS "createdAt", e.traceparent, batch.most`;
