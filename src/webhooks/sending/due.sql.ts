import { columns, type RowOf } from '../../core/database/index.js';
import { EVENT_TEXT, type EventText } from '../../core/outbox/index.js';
import { LEASE, ownerOf } from '../../core/work/index.js';
import { earlierSecretsOf, KEY, type TargetRow } from '../endpoint-target.sql.js';
import { WebhookEndpoint } from '../webhook-endpoint.entity.js';

export const BATCH = 200;

export interface DueDelivery extends EventText {
  id: string;
  /** Of the attempt to be made. */
  number: number;
  /** The trace of its event; null: none. */
  traceparent: string | null;
}

/** `owner`: whom the workspace counts for. */
export type DueRow = DueDelivery & TargetRow & RowOf<typeof ENDPOINT> & { owner: string };

const ENDPOINT = columns(WebhookEndpoint, 'l', 'url', 'sealedSecret', 'consecutiveFailures');

/**
 * SQL, as all here, since it is hot: leases and deliveries of many endpoints at once. The commit does not wait for the
 * disk. A database that crashes then loses the lease, which costs what a dead worker costs: an attempt that is made
 * twice.
 */
export const TAKE = `
  WITH quick AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
  ), leased AS (
    UPDATE webhook_endpoints e SET worker_id = $2, lease_until = now() + ${LEASE}
    FROM unnest($1::text[]) AS wanted(id), workspaces w, quick
    WHERE e.id = wanted.id AND e.enabled AND w.id = e.workspace_id AND w.deleted_at IS NULL
      AND (e.lease_until IS NULL OR e.lease_until < now() OR e.worker_id = $2)
      AND EXISTS (SELECT FROM webhook_deliveries d
        WHERE d.endpoint_id = e.id AND d.status = 'pending' AND d.next_attempt_at <= now() AND d.id NOT IN (SELECT unnest($3::text[])))
    RETURNING e.*, ${ownerOf('e.workspace_id')} AS owner, ${earlierSecretsOf('e.id')} AS earlier_secrets
  )
  SELECT l.id AS "endpointId", l.owner, d.id, d.attempts + 1 AS number, v.traceparent, ${EVENT_TEXT}, ${ENDPOINT}, l.earlier_secrets AS "earlierSecrets", ${KEY}
  FROM leased l
    JOIN workspace_keys k ON k.workspace_id = l.workspace_id
    CROSS JOIN LATERAL (
      SELECT id, attempts, event_id FROM webhook_deliveries
      WHERE endpoint_id = l.id AND status = 'pending' AND next_attempt_at <= now() AND id NOT IN (SELECT unnest($3::text[]))
      ORDER BY next_attempt_at, id LIMIT ${BATCH}) AS d
    JOIN events v ON v.id = d.event_id`;

/** Steps through the index from one endpoint to the next, which takes no longer where each has many deliveries. */
export const WAITING = `
  WITH RECURSIVE waiting AS (
    (SELECT endpoint_id FROM webhook_deliveries WHERE status = 'pending' ORDER BY endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT d.endpoint_id FROM webhook_deliveries d
            WHERE d.status = 'pending' AND d.endpoint_id > w.endpoint_id ORDER BY d.endpoint_id LIMIT 1)
    FROM waiting w WHERE w.endpoint_id IS NOT NULL
  )
  SELECT w.endpoint_id AS id, ${ownerOf('e.workspace_id')} AS owner, (e.enabled IS TRUE AND s.deleted_at IS NULL) AS sendable
  FROM waiting w
    LEFT JOIN webhook_endpoints e ON e.id = w.endpoint_id
    LEFT JOIN workspaces s ON s.id = e.workspace_id
  WHERE w.endpoint_id IS NOT NULL
    AND EXISTS (SELECT FROM webhook_deliveries d
      WHERE d.endpoint_id = w.endpoint_id AND d.status = 'pending' AND d.next_attempt_at <= now())
    AND (e.lease_until IS NULL OR e.lease_until < now() OR e.worker_id = $1)`;

export const IS_DUE = `status = 'pending' AND next_attempt_at <= now()`;

/** SQL, since no update of the query builder has a limit. */
export const SOME_DUE = `
  SELECT id FROM webhook_deliveries WHERE endpoint_id = :endpointId AND ${IS_DUE} LIMIT :most FOR UPDATE SKIP LOCKED`;
