import { columns, type RowOf } from '../core/database/index.js';
import { LEASE_IS_LOST } from '../core/work/index.js';
import { Build } from './build.entity.js';
import { MOST_LOSSES } from './build.status.js';

/** What those see of a build who ask for it. */
export const SHOWN = ['id', 'status', 'log', 'error', 'depsKey', 'depsBytes'] as const;

const BUILD = columns(Build, 'b', ...SHOWN);
export type BuildRow = RowOf<typeof BUILD>;

/** How long a build that ended workers is not tried again. A client that repeats its request ends no more of them. */
export const LOST_FOR_MINUTES = 10;

/** SQL, since each of the two conditions has an index of its own, and the first goes before the second. */
export const FIND_CONTENT = `
  (SELECT ${BUILD} FROM builds b WHERE b.workspace_id = $1 AND b.content_key = $2 AND b.status <> 'failed')
  UNION ALL
  (SELECT ${BUILD} FROM builds b
   WHERE b.workspace_id = $1 AND b.content_key = $2 AND b.status = 'failed' AND b.losses >= ${MOST_LOSSES}
     AND b.finished_at > now() - interval '${LOST_FOR_MINUTES} minutes')
  LIMIT 1`;

/** SQL, since it tells of each build that it changes. */
export const SWEEP = `
  WITH swept AS (
    UPDATE builds SET worker_id = NULL, lease_until = NULL, losses = losses + 1,
      status = CASE WHEN losses + 1 < $1 THEN 'queued' ELSE 'failed' END,
      error = CASE WHEN losses + 1 < $1 THEN NULL ELSE $2 END,
      finished_at = CASE WHEN losses + 1 < $1 THEN NULL ELSE now() END
    WHERE id IN (SELECT id FROM builds WHERE status = 'running' AND ${LEASE_IS_LOST}
                 LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING id
  )
  SELECT pg_notify('gatehouse', 'build:' || id) FROM swept`;
