import { columns, named, type RowOf } from '../../core/database/index.js';
import { fairClaim, LEASE } from '../../core/work/index.js';
import { Build } from '../build.entity.js';

const CLAIMED = columns(Build, 'b', 'id', 'claim', 'workspaceId', 'recipe', 'archiveKey');

/** A build that this worker has taken. */
export type ClaimedBuild = RowOf<typeof CLAIMED>;

const PICKED = fairClaim(
  {
    table: 'builds',
    columns: ['id'],
    waits: `status = 'queued' AND runtime = $3`,
    taken: `status = 'running'`,
  },
  { worker: '$1', room: '$2::int', share: '$4' },
);

/** SQL: a fair claim. */
export const CLAIM = `
  WITH RECURSIVE ${PICKED}, taken AS (
    UPDATE builds b SET status = 'running', claim = claim + 1, worker_id = $1,
      lease_until = now() + ${LEASE}, started_at = now()
    WHERE id IN (SELECT id FROM picked)
    RETURNING ${CLAIMED}
  )
  SELECT claim_summary.*, taken.* FROM claim_summary LEFT JOIN taken ON true`;

/** SQL, since a claim is renewed only by whoever has it, and those of a worker at once. */
export const RENEW = `
  UPDATE builds b SET lease_until = now() + ${LEASE}
  FROM unnest($1::text[], $2::int[]) AS mine(id, claim)
  WHERE b.id = mine.id AND b.claim = mine.claim AND b.status = 'running' RETURNING b.id`;

type Ending = Pick<Build, 'id' | 'claim' | 'status' | 'log' | 'error' | 'depsKey' | 'depsBytes'>;

/** SQL, since it tells of the build that it ends. */
export const FINISH = named<Ending>(`
  WITH done AS (
    UPDATE builds SET status = :status, log = :log, error = :error, deps_key = :depsKey, deps_bytes = :depsBytes,
      finished_at = now(), worker_id = NULL, lease_until = NULL
    WHERE id = :id AND claim = :claim AND status = 'running'
    RETURNING id
  )
  SELECT pg_notify('gatehouse', 'build:' || id) FROM done`);
