import { fairClaim, LEASE } from '../../core/work/index.js';
import { queueFor, RUN_QUEUE, UNTAGGED_QUEUE } from '../run-queue.sql.js';

/**
 * For each of some runs that a worker takes: its version, where it runs, and whether it is `ready`, so that it needs no preparation: it
 * has no files, and its version is unpacked already and has the usual resources. One whose time to begin is over is not.
 *
 * @param runs a relation with the columns `id`, `version_id`, `environment_id`, `workspace_id` and `expired`
 * @param unpacked the versions that are unpacked on the worker, as an array
 */
export const surroundingsOf = (runs: string, unpacked: string): string => `
  SELECT q.id, q.expired, e.name AS environment, v.*, COALESCE(NULLIF(e.runs_on, '{}'), NULLIF(v.version_runs_on, '{}')) AS runs_on, files.given, w.plan,
    concat_ws('-', v.archive_sha256, split_part(v.deps_key, '/', 2)) = ANY(${unpacked}::text[]) AND NOT files.given AND NOT q.expired AND v.resources IS NULL AS ready,
    CASE WHEN w.deleted_at IS NOT NULL THEN 'workspace' WHEN e.deleted_at IS NOT NULL THEN 'environment'
      WHEN q.expired THEN 'time' END AS gone
  FROM ${runs} AS q
    JOIN (SELECT id AS version_id, command, timeout_seconds, resources, retry, archive_key, archive_sha256, input_schema, output_schema,
            deps_key, deps_whole, runs_on AS version_runs_on, hosts, host_rules, secrets, env, warm, handler, keep FROM script_versions) AS v USING (version_id)
    JOIN environments e ON e.id = q.environment_id
    JOIN workspaces w ON w.id = q.workspace_id
    CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM files f WHERE f.run_id = q.id) AS given) AS files`;

/** The columns of a `ClaimedRun`, of a row `r` of `runs` and of its surroundings, `next`. */
export const CLAIMED_RUN = `
  r.id, r.claim, r.phase = 'executing' AS begun,
  CASE WHEN r.approval_request_id IS NULL AND r.attempt = 1 AND r.start_at IS NULL AND r.concurrency_key IS NULL THEN extract(epoch FROM now() - r.started_at)::float8 END AS "waitedSeconds",
  r.traceparent, r.workspace_id AS "workspaceId", r.script_id AS "scriptId",
  r.environment_id AS "environmentId", next.environment AS "environmentName", r.script_slug AS "scriptSlug", r.version, r.version_id AS "versionId", r.by_agent AS "byAgent",
  r.attempt, COALESCE(r.retry, next.retry) AS retry, r.log_lines AS "firstLine", next.command, next.gone, next.timeout_seconds AS "timeoutSeconds", next.resources, next.plan AS "workspacePlan", next.archive_key AS "archiveKey",
  next.archive_sha256 AS "archiveSha256", next.input_schema AS "inputSchema", next.output_schema AS "outputSchema",
  next.deps_key AS "depsKey", next.deps_whole AS "depsWhole", next.warm AND NOT r.plan AS warm, next.handler, next.keep, next.hosts, next.host_rules AS "hostRules", next.secrets,
  next.env, r.inputs::text AS inputs, r.plan, r.labels, next.given AS "hasFiles"`;

/** It is cancelled instead, as whoever looks at the clock would do. */
const EXPIRED = 'COALESCE(expires_at <= now() AND attempt = 1, false) AS expired';

const pickedOf = (queue: typeof RUN_QUEUE): string =>
  fairClaim(
    { ...queue, columns: ['id', 'version_id', 'environment_id', 'workspace_id', EXPIRED] },
    { worker: '$1', room: '$2::int', share: '$4', kept: '$5' },
  );

/**
 * Takes runs that wait. The few that are picked are named as an array as well: the planner takes them for many where many
 * wait, and would read the whole table. $1 worker, $2 free places, $3 unpacked versions, $4 share, $5 workspaces of
 * places that are kept.
 */
const claimOf = (queue: typeof RUN_QUEUE): string => `
  WITH RECURSIVE ${pickedOf(queue)}, taken AS (
    UPDATE runs r SET claim = r.claim + 1, unplaceable_since = NULL, worker_id = $1, lease_until = now() + ${LEASE},
      phase = CASE WHEN next.ready THEN 'executing' ELSE 'starting' END,
      execution_started_at = CASE WHEN next.ready THEN now() END,
      cancel_requested_at = CASE WHEN next.expired THEN now() ELSE r.cancel_requested_at END,
      end_reason = CASE WHEN next.expired THEN 'expired' ELSE r.end_reason END
    FROM (${surroundingsOf('picked', '$3')}) AS next
    WHERE r.id = next.id AND r.id = ANY(ARRAY(SELECT id FROM picked))
    RETURNING ${CLAIMED_RUN}
  )
  SELECT claim_summary.*, taken.* FROM claim_summary LEFT JOIN taken ON true`;

export const CLAIM_RUNS = claimOf(UNTAGGED_QUEUE);

/** The same by a worker that carries the tags $6. */
export const CLAIM_TAGGED_RUNS = claimOf(queueFor('$6::text[]'));
