import { Injectable } from '@nestjs/common';

import { firstIdAt } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';

/** Events are told again to webhook endpoints for so long, and deliveries kept. */
const EVENT_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * What is deleted by age, each a few rows at a time. A row that somebody has locked is left for the next round, and each
 * statement finds its rows by an index, so that it costs the same however many there are.
 */
@Injectable()
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  /** False: another process is at it. Holds until the transaction ends. */
  async claim(): Promise<boolean> {
    const row = await this.database.one<{ claimed: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('gatehouse retention', 0)) AS claimed`,
    );
    return row!.claimed;
  }

  /** Finished runs with their logs and files; the bytes of the files go when nothing else refers to them. */
  deleteRuns(daysByPlan: Readonly<Record<string, number>>, most: number): Promise<number> {
    const kept = Object.entries(daysByPlan).map(
      ([plan, days]) => [plan, { days, before: firstIdAt('run', daysAgo(days)) }] as const,
    );
    return this.count(DELETE_RUNS, [JSON.stringify(Object.fromEntries(kept)), most]);
  }

  /** Events that were dispatched and that no delivery refers to any more. */
  deleteEvents(most: number): Promise<number> {
    return this.count(DELETE_EVENTS, [firstIdAt('event', daysAgo(EVENT_DAYS)), EVENT_DAYS, most]);
  }

  /** What events fired that are gone. */
  deleteTriggerFirings(most: number): Promise<number> {
    return this.count(DELETE_TRIGGER_FIRINGS, [firstIdAt('event', daysAgo(EVENT_DAYS)), most]);
  }

  /** Keys that may be used anew. */
  deleteIdempotencyKeys(most: number): Promise<number> {
    return this.count(DELETE_IDEMPOTENCY_KEYS, [most]);
  }

  /** Buckets that have long been full again, which is as if they were not there. */
  deleteRateBuckets(most: number): Promise<number> {
    return this.count(DELETE_RATE_BUCKETS, [most]);
  }

  /** Invitations that have been of no use for a month. */
  deleteInvitations(most: number): Promise<number> {
    return this.count(DELETE_INVITATIONS, [most]);
  }

  private async count(statement: string, parameters: unknown[]): Promise<number> {
    return (await this.database.execute(statement, parameters)).count;
  }
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}

/** Ids tell when a run was asked for; its files are as old as its end, which may be a day later where it was held. */
const DELETE_RUNS = `
  WITH due AS MATERIALIZED (
    SELECT old.id FROM workspaces w
      CROSS JOIN LATERAL (SELECT COALESCE($1::jsonb -> w.plan, $1::jsonb -> 'default') AS kept) AS p
      CROSS JOIN LATERAL (
        SELECT r.id FROM runs r
        WHERE r.workspace_id = w.id AND r.id < kept ->> 'before' AND r.phase = 'finished'
          AND r.finished_at < now() - (kept ->> 'days')::int * interval '1 day'
        ORDER BY r.id LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
    LIMIT $2
  ), released AS (
    UPDATE file_blobs b SET check_at = now()
    WHERE b.key IN (SELECT f.blob_key FROM files f JOIN due ON f.run_id = due.id)
  )
  DELETE FROM runs r USING due WHERE r.id = due.id`;

/** Redeliveries may still refer to an event that is older than they are. */
const DELETE_EVENTS = `
  WITH due AS MATERIALIZED (
    SELECT e.id FROM events e
    WHERE e.id < $1 AND e.dispatched_at IS NOT NULL AND e.created_at < now() - $2::int * interval '1 day'
      AND NOT EXISTS (
        SELECT FROM webhook_deliveries d WHERE d.event_id = e.id AND d.redelivery_of IS NULL)
      AND NOT EXISTS (
        SELECT FROM webhook_deliveries d WHERE d.event_id = e.id AND d.redelivery_of IS NOT NULL)
    ORDER BY e.id LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM events e USING due WHERE e.id = due.id`;

const DELETE_TRIGGER_FIRINGS = `
  WITH due AS MATERIALIZED (
    SELECT f.event_id, f.trigger_id FROM trigger_firings f
    WHERE f.event_id < $1 AND NOT EXISTS (SELECT FROM events e WHERE e.id = f.event_id)
    ORDER BY f.event_id LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM trigger_firings f USING due WHERE f.event_id = due.event_id AND f.trigger_id = due.trigger_id`;

const DELETE_IDEMPOTENCY_KEYS = `
  WITH due AS MATERIALIZED (
    SELECT credential_id, key FROM idempotency_keys WHERE created_at < now() - interval '24 hours'
    ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM idempotency_keys k USING due WHERE k.credential_id = due.credential_id AND k.key = due.key`;

const DELETE_RATE_BUCKETS = `
  WITH due AS MATERIALIZED (
    SELECT key FROM rate_buckets WHERE updated_at < now() - interval '1 day'
    ORDER BY updated_at LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM rate_buckets b USING due WHERE b.key = due.key`;

const DELETE_INVITATIONS = `
  WITH due AS MATERIALIZED (
    SELECT id FROM invitations WHERE expires_at < now() - interval '30 days'
    ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM invitations i USING due WHERE i.id = due.id`;
