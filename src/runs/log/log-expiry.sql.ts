import { deleteLogPartsOf } from '../../files/index.js';

/**
 * SQL: goes on from where it was, so that runs whose log is gone are not looked at again. $1 the plan, $2 those that there
 * are, $3 the days, $4 the id to stop before, $5 how many at most. A workspace whose plan is not known has the default one.
 */
export const DELETE_LOGS = `
  WITH passed AS MATERIALIZED (
    SELECT r.id, r.workspace_id, r.finished_at FROM runs r
    WHERE r.id > coalesce((SELECT run_id FROM log_expiry WHERE plan = $1), '') AND r.id < $4
    ORDER BY r.id LIMIT $5
  ), due AS (
    SELECT p.id FROM passed p JOIN workspaces w ON w.id = p.workspace_id
    WHERE p.finished_at < now() - $3::int * interval '1 day'
      AND CASE WHEN w.plan = ANY($2::text[]) THEN w.plan ELSE 'default' END = $1
  ), gone AS (
    DELETE FROM run_log_chunks c USING due WHERE c.run_id = due.id
  ), unplanned AS (
    DELETE FROM run_planned_requests p USING due WHERE p.run_id = due.id
  ), ${deleteLogPartsOf('due')}, moved AS (
    INSERT INTO log_expiry (plan, run_id) SELECT $1, max(id) FROM passed HAVING count(*) > 0
    ON CONFLICT (plan) DO UPDATE SET run_id = excluded.run_id
  )
  SELECT count(*) AS count FROM passed`;
