import { givenAuditEvents, insertAuditEvents } from '../audit/index.js';
import { LIVE_MEMBERSHIPS } from '../core/access/index.js';
import { columns, insertColumns, named } from '../core/database/index.js';
import { givenEvents, insertEvents } from '../core/outbox/index.js';
import { approvalColumns } from './approval-columns.sql.js';
import { ApprovalRequest } from './approval-request.entity.js';
import type { ApprovalStatus } from './approval.status.js';
import { mayDecide } from './who-may-decide.js';

/** `behindUserId` is looked up. */
const NEW = insertColumns(
  ApprovalRequest,
  'id',
  'workspaceId',
  'environmentId',
  'action',
  'title',
  'summary',
  'about',
  'input',
  'comparedBy',
  'reason',
  'leastRole',
  'scriptId',
  'scriptOwnerUserId',
  'askerLast',
  'requestedByUserId',
  'credentialKind',
  'credentialId',
  'credentialName',
  'runId',
  'secretName',
  'secretEnvVar',
);
export type NewApprovalRow = typeof NEW.row & { lifetimeMinutes: number };

export interface Decision {
  id: string;
  status: ApprovalStatus;
  decidedByUserId: string;
  reason: string | null;
  result: Record<string, unknown> | null;
}

/** As a statement is given them that writes them too. */
export interface Told {
  events: string;
  auditEvents: string;
}

const TELL = `
  told AS (${insertEvents(givenEvents())}
  ), audited AS (${insertAuditEvents(givenAuditEvents())})`;

/** SQL: requests, events and audit events in one statement, also for many held runs at once. */
export const INSERT_MANY = named<Told & { requests: string }>(`
  WITH made AS (
    INSERT INTO approval_requests (${NEW.columns}, behind_user_id, expires_at)
    SELECT ${NEW.given},
      CASE WHEN given."credentialKind" = 'api_key'
        THEN (SELECT k.created_by_user_id FROM api_keys k WHERE k.id = given."credentialId")
        ELSE given."requestedByUserId" END,
      now() + make_interval(mins => given."lifetimeMinutes")
    FROM ${NEW.recordset(':requests', '"lifetimeMinutes" integer')}
    RETURNING *
  ), ${TELL}
  SELECT ${approvalColumns()} FROM made a LEFT JOIN users d ON d.id = a.decided_by_user_id`);

/** SQL, since whether somebody may decide is judged in it for all members. */
export const SECOND_PERSONS = `
  SELECT a.behind_user_id AS "behindUserId", (
    SELECT count(*) FROM ${LIVE_MEMBERSHIPS} m
    WHERE m.workspace_id = a.workspace_id AND m.user_id IS DISTINCT FROM a.behind_user_id
      AND ${mayDecide({ request: 'a', role: 'm.role', user: 'm.user_id' })}) AS others
  FROM approval_requests a WHERE a.id = $1`;

/** SQL, since it puts the request together with who decides and what they may, from tables of six domains. */
export const READ_LOCKED = `
  SELECT ${approvalColumns('clock_timestamp()')},
    ${columns(ApprovalRequest, 'a', 'workspaceId', 'about', 'behindUserId', 'credentialKind', 'credentialId')},
    json_build_object('id', w.id, 'slug', w.slug, 'name', w.name) AS workspace,
    json_build_object('id', p.id, 'name', p.name, 'email', p.email, 'role', m.role) AS person,
    COALESCE(${mayDecide({ request: 'a', role: 'm.role', user: 'p.id' })}, false) AS "mayDecide",
    CASE WHEN a.requested_by_user_id IS NOT NULL AND NOT EXISTS (SELECT FROM ${LIVE_MEMBERSHIPS} am
        WHERE am.workspace_id = a.workspace_id AND am.user_id = a.requested_by_user_id) THEN 'person'
      WHEN a.credential_kind = 'api_key' AND EXISTS (SELECT FROM api_keys k
        WHERE k.id = a.credential_id AND (k.revoked_at IS NOT NULL OR k.expires_at <= now())) THEN 'api_key'
      WHEN a.credential_kind = 'agent' AND EXISTS (SELECT FROM agent_grants g
        WHERE g.id = a.credential_id AND g.revoked_at IS NOT NULL) THEN 'app' END AS "askerGone",
    CASE WHEN e.id IS NOT NULL THEN json_build_object('id', e.id, 'name', e.name,
      'approvalPolicy', e.approval_policy, 'agentsAllowed', e.agents_allowed, 'isDefault', e.is_default) END AS environment
  FROM approval_requests a
    JOIN workspaces w ON w.id = a.workspace_id
    JOIN users p ON p.id = COALESCE($2::text, a.decided_by_user_id)
    LEFT JOIN users d ON d.id = a.decided_by_user_id
    LEFT JOIN ${LIVE_MEMBERSHIPS} m ON m.workspace_id = a.workspace_id AND m.user_id = p.id
    LEFT JOIN environments e ON e.id = a.environment_id AND e.deleted_at IS NULL
  WHERE a.id = $1`;

/**
 * SQL: the request, events and audit events in one statement. A secret is fetched while the sign-in of whoever approved it
 * is of the last hour, or little more.
 */
export const DECIDE = named<Told & Omit<Decision, 'result'> & { result: string | null }>(`
  WITH decided AS (
    UPDATE approval_requests
    SET status = :status, decided_at = COALESCE(decided_at, now()),
      decided_by_user_id = COALESCE(decided_by_user_id, :decidedByUserId),
      decision_reason = COALESCE(decision_reason, :reason), result = :result,
      expires_at = CASE WHEN :status = 'approved' THEN least(expires_at, now() + interval '1 hour') ELSE expires_at END
    WHERE id = :id
    RETURNING *
  ), ${TELL}
  SELECT ${approvalColumns()} FROM decided a LEFT JOIN users d ON d.id = a.decided_by_user_id`);
