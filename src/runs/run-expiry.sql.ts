import { releaseBlobsOf } from '../files/index.js';
import { forgetShownOf } from './asking/questions.sql.js';

/**
 * SQL, since how long a run is kept depends on its workspace's plan and its script, and its files and what was shown of its requests are let go of in the
 * same statement.
 * Each workspace is BETWEEN itself and itself, in that order: an equality would let the planner walk through the old runs of all others by
 * their ids alone. Ids tell when a run was asked for. Its files are as old as its end, which may be a day later where it was held.
 */
export const DELETE_RUNS = `
  WITH due AS MATERIALIZED (
    (SELECT old.id FROM workspaces w
      CROSS JOIN LATERAL (SELECT COALESCE($1::jsonb -> w.plan, $1::jsonb -> 'default') AS kept) AS p
      CROSS JOIN LATERAL (
        SELECT r.id FROM runs r
        WHERE r.workspace_id BETWEEN w.id AND w.id AND r.id < kept ->> 'before' AND r.phase = 'finished'
          AND r.finished_at < now() - (kept ->> 'days')::int * interval '1 day'
        ORDER BY r.workspace_id, r.id LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
    LIMIT $2)
    UNION
    (SELECT old.id FROM scripts s
      CROSS JOIN LATERAL (
        SELECT r.id FROM runs r
        WHERE r.script_id BETWEEN s.id AND s.id AND r.id < $3::jsonb ->> (s.retention ->> 'runs') AND r.phase = 'finished'
          AND r.finished_at < now() - (s.retention ->> 'runs')::int * interval '1 day'
        ORDER BY r.script_id, r.id LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
    WHERE s.retention IS NOT NULL LIMIT $2)
  ), released AS (${releaseBlobsOf('due')}
  ), forgotten AS (${forgetShownOf('due')}
  )
  DELETE FROM runs r USING due WHERE r.id = due.id`;
