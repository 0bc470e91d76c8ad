import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/database.js';
import type { WorkspaceKeyRow } from '../../core/keys/workspace-keys.repository.js';
import { earlierSecretsOf } from '../endpoints.repository.js';
import type { EventText } from './attempt.js';

export interface DueDelivery extends EventText {
  id: string;
  /** Of the attempt to be made. */
  number: number;
}

/** An endpoint as it is, and the next deliveries to it. */
export interface DueBatch {
  workspaceId: string;
  url: string;
  sealedSecrets: Buffer[];
  key: WorkspaceKeyRow;
  consecutiveFailures: number;
  deliveries: DueDelivery[];
}

interface DueRow extends DueDelivery {
  workspaceId: string;
  url: string;
  sealedSecret: Buffer;
  /** null: none but the newest. */
  earlierSealedSecrets: Buffer[] | null;
  masterKeyId: string;
  sealedKey: Buffer;
  consecutiveFailures: number;
}

export interface WaitingEndpoint {
  id: string;
  /** False: it is disabled or deleted, so that nothing will be sent. */
  sendable: boolean;
}

export const BATCH = 200;

/** A worker's side of endpoints: it sends to those that it has a lease on, so that only one does at a time. */
@Injectable()
export class DueRepository {
  constructor(private readonly database: Database) {}

  /**
   * The next deliveries to an endpoint, which is the worker's from then on. null: nothing is due, or another worker is at it.
   *
   * @param held deliveries that the worker has already
   */
  async take(endpointId: string, workerId: string, held: readonly string[]): Promise<DueBatch | null> {
    const rows = await this.database.query<DueRow>(TAKE, [endpointId, workerId, held]);
    const [first] = rows;
    if (!first) return null;
    const { workspaceId, url, masterKeyId, sealedKey, consecutiveFailures } = first;
    return {
      workspaceId,
      url,
      sealedSecrets: [first.sealedSecret, ...(first.earlierSealedSecrets ?? [])],
      key: { workspaceId, masterKeyId, sealedKey },
      consecutiveFailures,
      deliveries: rows,
    };
  }

  /** The ids of those that still are the worker's. */
  async renew(endpointIds: readonly string[], workerId: string): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(
      `UPDATE webhook_endpoints SET lease_until = now() + ${LEASE}
       WHERE id = ANY($1) AND worker_id = $2 AND enabled RETURNING id`,
      [endpointIds, workerId],
    );
    return new Set(rows.map(({ id }) => id));
  }

  async release(endpointId: string, workerId: string): Promise<void> {
    await this.database.execute(
      'UPDATE webhook_endpoints SET lease_until = NULL WHERE id = $1 AND worker_id = $2',
      [endpointId, workerId],
    );
  }

  /** Endpoints for which something is due and that no other worker is at. */
  waiting(workerId: string): Promise<WaitingEndpoint[]> {
    return this.database.query<WaitingEndpoint>(WAITING, [workerId]);
  }

  /** What is due at an endpoint that gets nothing any more; a part of it. */
  async failDue(endpointId: string): Promise<void> {
    await this.database.execute(
      `UPDATE webhook_deliveries SET status = 'failed'
       WHERE id IN (SELECT id FROM webhook_deliveries
                    WHERE endpoint_id = $1 AND status = 'pending' AND next_attempt_at <= now()
                    LIMIT 5000 FOR UPDATE SKIP LOCKED)`,
      [endpointId],
    );
  }
}

const LEASE = `interval '20 seconds'`;

/**
 * The commit is not waited for to reach the disk: a lease that a crash of the database loses costs no more than a worker's
 * death, an attempt that is made twice.
 */
const TAKE = `
  WITH quick AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
  ), leased AS (
    UPDATE webhook_endpoints e SET worker_id = $2, lease_until = now() + ${LEASE}
    FROM workspaces w, quick
    WHERE e.id = $1 AND e.enabled AND w.id = e.workspace_id AND w.deleted_at IS NULL
      AND (e.lease_until IS NULL OR e.lease_until < now() OR e.worker_id = $2)
      AND EXISTS (SELECT FROM webhook_deliveries d
        WHERE d.endpoint_id = $1 AND d.status = 'pending' AND d.next_attempt_at <= now() AND d.id NOT IN (SELECT unnest($3::text[])))
    RETURNING e.*, ${earlierSecretsOf('e.id')} AS earlier_sealed_secrets
  )
  SELECT d.id, d.attempts + 1 AS number, d.event_id AS "eventId", d.event_type AS "eventType",
    v.created_at AS "createdAt", v.data::text AS data, l.workspace_id AS "workspaceId", l.url,
    l.sealed_secret AS "sealedSecret",
    l.earlier_sealed_secrets AS "earlierSealedSecrets",
    l.consecutive_failures AS "consecutiveFailures", k.master_key_id AS "masterKeyId", k.sealed_key AS "sealedKey"
  FROM leased l
    JOIN workspace_keys k ON k.workspace_id = l.workspace_id
    CROSS JOIN LATERAL (
      SELECT id, attempts, event_id, event_type FROM webhook_deliveries
      WHERE endpoint_id = l.id AND status = 'pending' AND next_attempt_at <= now() AND id NOT IN (SELECT unnest($3::text[]))
      ORDER BY next_attempt_at, id LIMIT ${BATCH}) AS d
    JOIN events v ON v.id = d.event_id`;

/** From one endpoint to the next in the index, however many deliveries each has. */
const WAITING = `
  WITH RECURSIVE waiting AS (
    (SELECT endpoint_id FROM webhook_deliveries WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
            WHERE d.status = 'pending' AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
    FROM waiting w WHERE w.endpoint_id IS NOT NULL
  )
  SELECT w.endpoint_id AS id, (e.enabled IS TRUE AND s.deleted_at IS NULL) AS sendable
  FROM waiting w
    LEFT JOIN webhook_endpoints e ON e.id = w.endpoint_id
    LEFT JOIN workspaces s ON s.id = e.workspace_id
  WHERE w.endpoint_id IS NOT NULL
    AND EXISTS (SELECT FROM webhook_deliveries d
      WHERE d.endpoint_id = w.endpoint_id AND d.status = 'pending' AND d.next_attempt_at <= now())
    AND (e.lease_until IS NULL OR e.lease_until < now() OR e.worker_id = $1)`;
