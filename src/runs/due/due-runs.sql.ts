import type { ApprovalPolicy } from '../../core/access/index.js';
import { JOIN_STARTER, STARTER_ACCESS, type StarterAccess } from '../starter-access.sql.js';
import { NEXT_PHASE } from '../turns/run-turns.sql.js';

/** Runs whose time has come, and what decides whether they may begin: one row for all of which that is the same. */
export interface DueRuns extends StarterAccess {
  ids: string[];
  workspaceId: string;
  scriptPolicy: ApprovalPolicy;
  environmentPolicy: ApprovalPolicy;
  /** A person has approved them before. */
  isApproved: boolean;
}

const STARTED =
  'script_id, environment_id, workspace_id, started_by_user_id, by_agent, credential_type, credential_id';
const ALIKE = `${STARTED}, is_approved`;

const dueBy = (phase: string, moment: string): string => `
    SELECT id, ${STARTED}, approval_request_id IS NOT NULL AS is_approved FROM runs
    WHERE phase = '${phase}' AND ${moment} <= now() AND workspace_id <> ALL($2) AND workspace_id = COALESCE($3, workspace_id)
    ORDER BY ${moment} LIMIT $1 FOR UPDATE SKIP LOCKED`;

/** SQL: locks the runs, and asks about all of them at once. $1 how many of each phase, $2 workspaces that are left out, $3 the only one or null. */
export const DUE_RUNS = `
  WITH delayed AS MATERIALIZED (${dueBy('delayed', 'start_at')}
  ), retrying AS MATERIALIZED (${dueBy('retrying', 'next_attempt_at')}
  ), alike AS (
    SELECT array_agg(id) AS ids, ${ALIKE}
    FROM (SELECT * FROM delayed UNION ALL SELECT * FROM retrying) AS due GROUP BY ${ALIKE}
  )
  SELECT r.ids, r.workspace_id AS "workspaceId", ${STARTER_ACCESS}, s.approval_policy AS "scriptPolicy", e.approval_policy AS "environmentPolicy",
    r.is_approved AS "isApproved"
  FROM alike r ${JOIN_STARTER}`;

/** An attempt that was is told of by its own row. */
const NEXT_ATTEMPT = `attempt = r.attempt + (r.phase = 'retrying')::int, next_attempt_at = NULL, error = NULL,
  execution_started_at = NULL, duration_ms = NULL, cpu_ms = NULL, peak_memory_bytes = NULL`;

/** SQL: the workspaces that have such, but for those of $1. */
export const DUE_WORKSPACES = `
  SELECT DISTINCT workspace_id AS id FROM runs
  WHERE ((phase = 'delayed' AND start_at <= now()) OR (phase = 'retrying' AND next_attempt_at <= now())) AND workspace_id <> ALL($1)`;

/** SQL, since it sets by what the row has. */
export const BEGIN = `
  UPDATE runs r SET phase = ${NEXT_PHASE}, ${NEXT_ATTEMPT} WHERE id = ANY($1) AND phase IN ('delayed', 'retrying')`;

/** SQL, since each gets a request of its own. $1 runs, $2 their requests. */
export const HOLD = `
  WITH held AS (
    UPDATE runs r SET status = 'awaiting_approval', phase = 'held', approval_request_id = o.approval_id, ${NEXT_ATTEMPT}
    FROM unnest($1::text[], $2::text[]) AS o(run_id, approval_id)
    WHERE r.id = o.run_id AND r.phase IN ('delayed', 'retrying')
    RETURNING r.*
  )
  SELECT r.id, r.approval_request_id AS "approvalRequestId", r.workspace_id AS "workspaceId", r.environment_id AS "environmentId",
    e.name AS environment, json_build_object('id', s.id, 'slug', s.slug, 'name', s.name, 'ownerUserId', s.owner_user_id) AS script,
    r.version_id AS "versionId", r.version, v.hosts, v.host_rules AS "hostRules", v.secrets, r.inputs::text AS inputs, r.test, r.plan,
    COALESCE(r.retry, v.retry) AS retry, NULL AS "startAt", r.expires_at AS "expiresAt", r.rank, r.labels,
    r.started_by_user_id AS "startedByUserId", r.credential_id AS "credentialId", r.credential_type AS "credentialType", r.interface,
    pg_notify('gatehouse', 'run:' || r.id)
  FROM held r JOIN scripts s ON s.id = r.script_id JOIN script_versions v ON v.id = r.version_id
    JOIN environments e ON e.id = r.environment_id`;
