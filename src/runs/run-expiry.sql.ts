import { releaseBlobsOf } from '../files/index.js';

/**
 * SQL, since how long a run is kept depends on its workspace's plan, and its files are let go of in the same statement.
 * Ids tell when a run was asked for. Its files are as old as its end, which may be a day later where it was held.
 */
export const DELETE_RUNS = `
  WITH due AS MATERIALIZED (
    SELECT old.id FROM workspaces w
      CROSS JOIN LATERAL (SELECT COALESCE($1::jsonb -> w.plan, $1::jsonb -> 'default') AS kept) AS p
      CROSS JOIN LATERAL (
        SELECT r.id FROM runs r
        WHERE r.workspace_id = w.id AND r.id < kept ->> 'before' AND r.phase = 'finished'
          AND r.finished_at < now() - (kept ->> 'days')::int * interval '1 day'
        ORDER BY r.id LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
    LIMIT $2
  ), released AS (${releaseBlobsOf('due')}
  )
  DELETE FROM runs r USING due WHERE r.id = due.id`;
