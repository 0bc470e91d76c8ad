import {
  type ApprovalPolicy,
  LIVE_MEMBERSHIPS,
  type Role,
  scriptIsVisible,
} from '../../core/access/index.js';
import type { ScriptStatus } from '../../scripts/index.js';
import { NEXT_PHASE } from '../turns/run-turns.sql.js';

/** Runs whose time has come, and what decides whether they may begin: one row for all of which that is the same. */
export interface DueRuns {
  ids: string[];
  scriptSlug: string;
  scriptStatus: ScriptStatus;
  scriptPolicy: ApprovalPolicy;
  environment: string;
  environmentPolicy: ApprovalPolicy;
  environmentGone: boolean;
  /** The role of who started them, `admin` for an API key; null where that person has left. */
  starterRole: Role | null;
  visibleToStarter: boolean;
  /** What they were started with; not where that has only expired. */
  credentialRevoked: boolean;
  byAgent: boolean;
  agentsAllowed: boolean;
  /** A person has approved them before. */
  isApproved: boolean;
}

const STARTED =
  'script_id, script_slug, environment_id, workspace_id, started_by_user_id, by_agent, credential_type, credential_id';
const ALIKE = `${STARTED}, is_approved`;

const dueBy = (phase: string, moment: string): string => `
    SELECT id, ${STARTED}, approval_request_id IS NOT NULL AS is_approved FROM runs WHERE phase = '${phase}' AND ${moment} <= now()
    ORDER BY ${moment} LIMIT $1 FOR UPDATE SKIP LOCKED`;

const isRevoked = (table: string): string =>
  `EXISTS (SELECT FROM ${table} c WHERE c.id = r.credential_id AND c.revoked_at IS NOT NULL)`;

/** SQL: locks the runs, and asks about all of them at once. $1 how many of each phase. */
export const DUE_RUNS = `
  WITH delayed AS MATERIALIZED (${dueBy('delayed', 'start_at')}
  ), retrying AS MATERIALIZED (${dueBy('retrying', 'next_attempt_at')}
  ), alike AS (
    SELECT array_agg(id) AS ids, ${ALIKE}
    FROM (SELECT * FROM delayed UNION ALL SELECT * FROM retrying) AS due GROUP BY ${ALIKE}
  )
  SELECT r.ids, r.script_slug AS "scriptSlug", s.status AS "scriptStatus", s.approval_policy AS "scriptPolicy",
    e.name AS environment, e.approval_policy AS "environmentPolicy", e.deleted_at IS NOT NULL AS "environmentGone",
    starter.role AS "starterRole", r.by_agent AS "byAgent", e.agents_allowed AS "agentsAllowed", r.is_approved AS "isApproved",
    CASE r.credential_type WHEN 'pat' THEN ${isRevoked('personal_tokens')} WHEN 'api_key' THEN ${isRevoked('api_keys')}
      WHEN 'oauth' THEN ${isRevoked('agent_grants')} ELSE false END AS "credentialRevoked",
    COALESCE(${scriptIsVisible({ alias: 's', roleParameter: 'starter.role', userParameter: 'r.started_by_user_id', choiceParameter: null })}, false)
      AS "visibleToStarter"
  FROM alike r JOIN scripts s ON s.id = r.script_id JOIN environments e ON e.id = r.environment_id
    LEFT JOIN ${LIVE_MEMBERSHIPS} m ON m.workspace_id = r.workspace_id AND m.user_id = r.started_by_user_id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN r.started_by_user_id IS NULL THEN 'admin' ELSE m.role END AS role) AS starter`;

/** An attempt that was is told of by its own row. */
const NEXT_ATTEMPT = `attempt = r.attempt + (r.phase = 'retrying')::int, next_attempt_at = NULL, error = NULL,
  execution_started_at = NULL, duration_ms = NULL, cpu_ms = NULL, peak_memory_bytes = NULL`;

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
