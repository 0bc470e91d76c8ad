/**
 * $1 workspace, $2 environment. One statement over the tables of seven domains, most of which lie above this one. Open runs are
 * found by their status, which has an index and is open exactly while their phase is.
 */
export const ENVIRONMENT_USES = `
  SELECT
    (SELECT count(*) FROM secret_values WHERE environment_id = $2) AS "secretValues",
    (SELECT count(*) FROM schedules WHERE environment_id = $2) AS schedules,
    (SELECT count(*) FROM triggers WHERE environment_id = $2) AS triggers,
    (SELECT count(*) FROM hooks WHERE environment_id = $2) AS hooks,
    (SELECT count(*) FROM webhook_endpoints WHERE environment_id = $2) AS endpoints,
    (SELECT count(*) FROM api_keys WHERE environment_id = $2 AND revoked_at IS NULL) AS "boundKeys",
    (SELECT count(*) FROM runs
     WHERE workspace_id = $1 AND status IN ('awaiting_approval', 'running') AND environment_id = $2) AS "openRuns"`;
