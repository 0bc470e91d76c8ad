import { columns, type RowOf } from '../core/database/index.js';
import { OutboxEvent } from '../core/outbox/index.js';
import { fairClaim, LEASE } from '../core/work/index.js';
import { EventHandling } from './event-handling.entity.js';

const CLAIMED = columns(EventHandling, 'h', 'id', 'workspaceId', 'claim', 'handler', 'eventId', 'attempts');

/** An event that this process has taken for a handler. */
export type ClaimedHandling = RowOf<typeof CLAIMED>;

const PICKED = fairClaim(
  {
    table: 'event_handlings',
    columns: ['id'],
    waits: 'handler = $4::text AND worker_id IS NULL AND set_aside_at IS NULL AND due_at <= now()',
    taken: 'handler = $4::text AND worker_id IS NOT NULL',
  },
  { worker: '$1', room: '$2::int', share: '$3' },
);

/** $1 worker, $2 room, $3 share, $4 handler. A fair claim, in one statement with its summary. */
export const CLAIM_HANDLINGS = `
  WITH RECURSIVE ${PICKED}, taken AS (
    UPDATE event_handlings h SET claim = claim + 1, attempts = attempts + 1, worker_id = $1, lease_until = now() + ${LEASE}
    WHERE id IN (SELECT id FROM picked)
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
  'createdAt',
  'traceparent',
  'hops',
  'chainEventId',
);

/**
 * $1 id, $2 claim. The event with what names its place, and the run behind it if there is one. SQL: a row of five tables for each
 * call of a handler.
 */
export const CLAIMED_EVENT = `
  SELECT ${EVENT}, w.slug, w.name, e.name AS environment,
    r.hops AS "runHops", r.chain_event_id AS "runChainEventId", r.by_agent AS "byAgent"
  FROM event_handlings h JOIN events v ON v.id = h.event_id
    JOIN workspaces w ON w.id = h.workspace_id AND w.deleted_at IS NULL
    LEFT JOIN environments e ON e.id = v.environment_id
    LEFT JOIN runs r ON r.workspace_id = v.workspace_id AND r.id = COALESCE(v.caused_by_run_id, v.data ->> 'runId')
  WHERE h.id = $1 AND h.claim = $2 AND h.worker_id IS NOT NULL`;
