import { columns, type RowOf } from '../../core/database/index.js';
import { OutboxEvent } from '../../core/outbox/index.js';
import { fairClaim, LEASE } from '../../core/work/index.js';
import { WaitingFiring } from './waiting-firing.entity.js';

const CLAIMED = columns(WaitingFiring, 'f', 'id', 'workspaceId', 'claim', 'attempts');

/** An event that this process has taken to fire. */
export type ClaimedFiring = RowOf<typeof CLAIMED>;

/** $1 ids, $2 workspaces, $3 environments or nulls, $4 types: one statement for each batch of events, most of which fire nothing. */
export const ADD_FIRINGS = `
  INSERT INTO waiting_firings (id, workspace_id)
  SELECT v.id, v.workspace_id
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS v(id, workspace_id, environment_id, type)
  WHERE EXISTS (
    SELECT FROM triggers t WHERE t.workspace_id = v.workspace_id AND t.event_type = v.type AND t.enabled
      AND (v.environment_id IS NULL OR t.environment_id = v.environment_id))
  ORDER BY v.id
  ON CONFLICT DO NOTHING`;

const PICKED = fairClaim(
  {
    table: 'waiting_firings',
    columns: ['id'],
    waits: 'worker_id IS NULL AND due_at <= now()',
    taken: 'worker_id IS NOT NULL',
  },
  { worker: '$1', room: '$2::int', share: '$3' },
);

/**
 * $1 worker, $2 room, $3 share. A fair claim, in one statement with its summary. The commit does not wait for the disk:
 * a database that crashes then has lost no more than the count of an attempt.
 */
export const CLAIM_FIRINGS = `
  WITH RECURSIVE quick AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
  ), ${PICKED}, taken AS (
    UPDATE waiting_firings f SET claim = claim + 1, attempts = attempts + 1, worker_id = $1, lease_until = now() + ${LEASE}
    FROM quick WHERE id IN (SELECT id FROM picked)
    RETURNING ${CLAIMED}
  )
  SELECT claim_summary.*, taken.* FROM claim_summary LEFT JOIN taken ON true`;

const EVENT = columns(
  OutboxEvent,
  'v',
  'id',
  'workspaceId',
  'environmentId',
  'type',
  'data',
  'causedByRunId',
  'traceparent',
  'hops',
  'chainEventId',
);

/** $1 id, $2 claim. The event comes with the lock on the row. */
export const HOLD_FIRING = `
  SELECT ${EVENT}, ${columns(WaitingFiring, 'f', 'triggerIds')}, extract(epoch FROM now() - v.created_at)::float8 AS "ageSeconds"
  FROM waiting_firings f JOIN events v ON v.id = f.id WHERE f.id = $1 AND f.claim = $2 AND f.worker_id IS NOT NULL
  FOR UPDATE OF f`;
