import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/database.js';
import { waitAfter } from '../backoff.js';
import type { RecordedAttempt } from './attempt.js';
import type { EndpointSummary } from './endpoint-summary.js';

export interface EndpointState {
  id: string;
  enabled: boolean;
  consecutiveFailures: number;
}

export interface DisabledEndpoint {
  workspaceId: string;
  workspaceName: string;
  environment: string;
  environmentId: string;
  url: string;
  description: string | null;
}

@Injectable()
export class OutcomesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Attempts of any number of endpoints, with what becomes of their deliveries and endpoints, in one statement. Writing the
   * same ones again changes nothing but the counts of failures.
   *
   * @param workerId whose leases end where a summary says so
   */
  record(
    attempts: readonly RecordedAttempt[],
    summaries: readonly EndpointSummary[],
    workerId: string,
  ): Promise<EndpointState[]> {
    return this.database.query<EndpointState>(RECORD, [
      attempts.map(({ deliveryId }) => deliveryId),
      attempts.map(({ number }) => number),
      attempts.map(({ ok }) => ok),
      attempts.map(({ status }) => status),
      attempts.map(({ error }) => error),
      attempts.map(({ durationMs }) => durationMs),
      attempts.map(({ answer }) => answer),
      attempts.map(({ at }) => at),
      attempts.map(({ number, retryAfterMs }) => waitAfter(number, retryAfterMs)),
      summaries.map(({ id }) => id),
      summaries.map(({ anyOk }) => anyOk),
      summaries.map(({ failures }) => failures),
      summaries.map(({ lastStatus }) => lastStatus),
      summaries.map(({ lastAt }) => lastAt),
      summaries.map(({ released }) => released),
      workerId,
    ]);
  }

  /** null: it is disabled already, or deleted. */
  disable(endpointId: string): Promise<DisabledEndpoint | null> {
    return this.database.one<DisabledEndpoint>(
      `UPDATE webhook_endpoints e SET enabled = false, lease_until = NULL
       FROM workspaces w, environments v
       WHERE e.id = $1 AND e.enabled AND w.id = e.workspace_id AND v.id = e.environment_id
       RETURNING e.workspace_id AS "workspaceId", w.name AS "workspaceName", e.environment_id AS "environmentId",
         v.name AS environment, e.url, e.description`,
      [endpointId],
    );
  }

  async ownersOf(workspaceId: string): Promise<string[]> {
    const rows = await this.database.query<{ email: string }>(
      `SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
       WHERE m.workspace_id = $1 AND m.role = 'owner' ORDER BY u.email`,
      [workspaceId],
    );
    return rows.map(({ email }) => email);
  }
}

const RECORD = `
  WITH outcome AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::int[], $3::boolean[], $4::int[], $5::text[], $6::int[], $7::text[],
      $8::timestamptz[], $9::int[])
      AS o(delivery_id, number, ok, status, error, duration_ms, answer, attempted_at, wait_ms)
  ), moved AS (
    UPDATE webhook_deliveries d SET
      attempts = GREATEST(d.attempts, o.number), last_status = o.status, last_attempt_at = o.attempted_at,
      status = CASE WHEN o.ok OR d.status = 'delivered' THEN 'delivered'
        WHEN d.status = 'failed' OR o.number >= d.max_attempts THEN 'failed' ELSE 'pending' END,
      next_attempt_at = now() + o.wait_ms * interval '1 millisecond'
    FROM outcome o WHERE d.id = o.delivery_id AND (d.attempts < o.number OR (o.ok AND d.status <> 'delivered'))
    RETURNING d.id
  ), logged AS (
    INSERT INTO webhook_attempts (delivery_id, number, status, error, duration_ms, answer, attempted_at)
    SELECT o.delivery_id, o.number, o.status, o.error, o.duration_ms, o.answer, o.attempted_at
    FROM outcome o JOIN moved m ON m.id = o.delivery_id
    ON CONFLICT DO NOTHING
  )
  UPDATE webhook_endpoints e SET
    consecutive_failures = s.failures + CASE WHEN s.any_ok THEN 0 ELSE e.consecutive_failures END,
    last_status = CASE WHEN s.last_at IS NULL THEN e.last_status ELSE s.last_status END,
    last_attempt_at = COALESCE(s.last_at, e.last_attempt_at),
    lease_until = CASE WHEN s.released AND e.worker_id = $16 THEN NULL ELSE e.lease_until END
  FROM unnest($10::text[], $11::boolean[], $12::int[], $13::int[], $14::timestamptz[], $15::boolean[])
    AS s(id, any_ok, failures, last_status, last_at, released)
  WHERE e.id = s.id
  RETURNING e.id, e.enabled, e.consecutive_failures AS "consecutiveFailures"`;
