import { Injectable } from '@nestjs/common';

import type { ActingEnvironment, ApprovalPolicy, CallerKind } from '../core/access/caller.js';
import type { Role } from '../core/access/roles.js';
import { Database } from '../core/database/database.js';
import { stringifyJson } from '../core/json/raw-json.js';
import { approvalColumns } from './approval-columns.sql.js';
import type { Notice } from './approval-mail.js';
import type { ApprovalRow } from './approval.presenter.js';
import type { ApprovalStatus } from './approval.status.js';
import { mayDecide } from './who-may-decide.js';

export interface NewApprovalRow {
  id: string;
  workspace_id: string;
  environment_id: string;
  action: string;
  title: string;
  summary: string;
  about: string | null;
  input: Record<string, unknown>;
  reason: string;
  least_role: Role;
  script_id: string | null;
  script_owner_user_id: string | null;
  asker_last: boolean;
  requested_by_user_id: string | null;
  credential_kind: CallerKind | 'system';
  credential_id: string | null;
  run_id: string | null;
  secret_name: string | null;
  secret_env_var: string | null;
}

/** A locked request with all that deciding or redeeming it depends on, as it is now. */
export interface LockedApproval extends ApprovalRow {
  workspaceId: string;
  about: string | null;
  credentialKind: CallerKind | 'system';
  behindUserId: string | null;
  runId: string | null;
  workspace: { id: string; slug: string; name: string };
  /** Who decides, or has approved. `role: null`: not a member any more. */
  person: { id: string; name: string; email: string; role: Role | null };
  mayDecide: boolean;
  /** The person who asked is not a member any more, or the API key that did is revoked. */
  askerGone: boolean;
  /** Where it is to be done; null: deleted. */
  environment: ActingEnvironment | null;
}

/** A request that has ended, as far as others have to hear of it. */
export interface EndedApprovalRow {
  id: string;
  workspaceId: string;
  action: string;
  title: string;
  input: Record<string, unknown>;
  runId: string | null;
  decidedByUserId: string | null;
  decidedByName: string | null;
}

export interface Decision {
  status: ApprovalStatus;
  decidedByUserId: string;
  reason: string | null;
  result: Record<string, unknown> | null;
}

interface LockedRow extends ApprovalRow {
  workspaceId: string;
  about: string | null;
  credentialKind: CallerKind | 'system';
  behindUserId: string | null;
  runId: string | null;
  workspaceSlug: string;
  workspaceName: string;
  personId: string;
  personName: string;
  personEmail: string;
  personRole: Role | null;
  mayDecide: boolean;
  askerGone: boolean;
  environmentId: string | null;
  environmentName: string | null;
  approvalPolicy: ApprovalPolicy | null;
  agentsAllowed: boolean | null;
  isDefault: boolean | null;
}

/** Filing, deciding and ending requests. */
@Injectable()
export class ApprovalsRepository {
  constructor(private readonly database: Database) {}

  async insertMany(requests: readonly NewApprovalRow[]): Promise<void> {
    await this.database.execute(INSERT_MANY, [stringifyJson(requests)]);
  }

  /** Who is behind a request, and how many besides may decide it. */
  async secondPersons(id: string): Promise<{ behindUserId: string | null; others: number }> {
    return (await this.database.one<{ behindUserId: string | null; others: number }>(SECOND_PERSONS, [id]))!;
  }

  /** For each person who may decide, the requests that they may: how many, and the first few. */
  notices(ids: readonly string[], secondPersons: readonly string[]): Promise<Notice[]> {
    return this.database.query<Notice>(NOTICES, [ids, secondPersons]);
  }

  /**
   * Locks a request until the transaction ends. `personId`: who decides; null for the person who has approved.
   * null: there is no such request in the workspace.
   */
  async lock(workspaceId: string, id: string, personId: string | null): Promise<LockedApproval | null> {
    const { count } = await this.database.execute(LOCK, [workspaceId, id]);
    if (count === 0) return null;
    // A statement of its own: what it reads is as it is after the wait for the lock, not as it was before.
    const row = await this.database.one<LockedRow>(READ_LOCKED, [id, personId]);
    return row && lockedOf(row);
  }

  async decide(id: string, { status, decidedByUserId, reason, result }: Decision): Promise<ApprovalRow> {
    const row = await this.database.one<ApprovalRow>(DECIDE, [
      id,
      status,
      decidedByUserId,
      reason,
      result && JSON.stringify(result),
    ]);
    return row!;
  }

  /** Those of the requests that were still open. */
  expire(ids: readonly string[]): Promise<EndedApprovalRow[]> {
    return this.database.query<EndedApprovalRow>(EXPIRE, [ids]);
  }

  /** Marks requests whose time is up. Those that somebody decides just now are left to them. */
  expireDue(limit: number): Promise<EndedApprovalRow[]> {
    return this.database.query<EndedApprovalRow>(EXPIRE_DUE, [limit]);
  }
}

function lockedOf(row: LockedRow): LockedApproval {
  const { workspaceSlug, workspaceName, personId, personName, personEmail, personRole } = row;
  const { environmentId, environmentName, approvalPolicy, agentsAllowed, isDefault, ...request } = row;
  return {
    ...request,
    workspace: { id: row.workspaceId, slug: workspaceSlug, name: workspaceName },
    person: { id: personId, name: personName, email: personEmail, role: personRole },
    environment:
      environmentId === null
        ? null
        : {
            id: environmentId,
            name: environmentName!,
            approvalPolicy: approvalPolicy!,
            agentsAllowed: agentsAllowed!,
            isDefault: isDefault!,
          },
  };
}

const INSERT_MANY = `
  INSERT INTO approval_requests (id, workspace_id, environment_id, action, title, summary, about, input, reason,
    least_role, script_id, script_owner_user_id, asker_last, requested_by_user_id, behind_user_id, credential_kind,
    credential_id, run_id, secret_name, secret_env_var, expires_at)
  SELECT id, workspace_id, environment_id, action, title, summary, about, input, reason,
    least_role, script_id, script_owner_user_id, asker_last, requested_by_user_id,
    CASE WHEN credential_kind = 'api_key' THEN (SELECT k.created_by_user_id FROM api_keys k WHERE k.id = credential_id)
      ELSE requested_by_user_id END,
    credential_kind, credential_id, run_id, secret_name, secret_env_var, now() + interval '24 hours'
  FROM json_to_recordset($1) AS r(id text, workspace_id text, environment_id text, action text, title text,
    summary text, about text, input json, reason text, least_role text, script_id text, script_owner_user_id text,
    asker_last boolean, requested_by_user_id text, credential_kind text, credential_id text, run_id text, secret_name text,
    secret_env_var text)`;

const SECOND_PERSONS = `
  SELECT a.behind_user_id AS "behindUserId", (
    SELECT count(*) FROM memberships m
    WHERE m.workspace_id = a.workspace_id AND m.user_id IS DISTINCT FROM a.behind_user_id
      AND ${mayDecide({ request: 'a', role: 'm.role', user: 'm.user_id' })}) AS others
  FROM approval_requests a WHERE a.id = $1`;

const NOTICES = `
  SELECT u.email, w.name AS workspace, count(*) AS count,
    (array_agg(json_build_object('id', a.id, 'title', a.title, 'summary', a.summary, 'reason', a.reason,
      'askedBy', asker.name) ORDER BY a.id))[1:10] AS requests
  FROM approval_requests a
    JOIN workspaces w ON w.id = a.workspace_id
    JOIN memberships m ON m.workspace_id = a.workspace_id
    JOIN users u ON u.id = m.user_id
    LEFT JOIN users asker ON asker.id = a.requested_by_user_id
  WHERE a.id = ANY($1::text[]) AND ${mayDecide({ request: 'a', role: 'm.role', user: 'm.user_id' })}
    AND NOT (a.id = ANY($2::text[]) AND a.behind_user_id IS NOT DISTINCT FROM m.user_id)
  GROUP BY u.email, w.id, w.name`;

const LOCK = 'SELECT FROM approval_requests WHERE workspace_id = $1 AND id = $2 FOR UPDATE';

const READ_LOCKED = `
  SELECT ${approvalColumns('a', 'd', 'clock_timestamp()')}, a.workspace_id AS "workspaceId", a.about,
    a.credential_kind AS "credentialKind", a.behind_user_id AS "behindUserId", a.run_id AS "runId",
    w.slug AS "workspaceSlug", w.name AS "workspaceName",
    p.id AS "personId", p.name AS "personName", p.email AS "personEmail", m.role AS "personRole",
    COALESCE(${mayDecide({ request: 'a', role: 'm.role', user: 'p.id' })}, false) AS "mayDecide",
    (a.requested_by_user_id IS NOT NULL AND NOT EXISTS (
       SELECT FROM memberships am WHERE am.workspace_id = a.workspace_id AND am.user_id = a.requested_by_user_id))
     OR (a.credential_kind = 'api_key' AND EXISTS (
       SELECT FROM api_keys k WHERE k.id = a.credential_id AND k.revoked_at IS NOT NULL)) AS "askerGone",
    e.id AS "environmentId", e.name AS "environmentName", e.approval_policy AS "approvalPolicy",
    e.agents_allowed AS "agentsAllowed", e.is_default AS "isDefault"
  FROM approval_requests a
    JOIN workspaces w ON w.id = a.workspace_id
    JOIN users p ON p.id = COALESCE($2::text, a.decided_by_user_id)
    LEFT JOIN users d ON d.id = a.decided_by_user_id
    LEFT JOIN memberships m ON m.workspace_id = a.workspace_id AND m.user_id = p.id
    LEFT JOIN environments e ON e.id = a.environment_id AND e.deleted_at IS NULL
  WHERE a.id = $1`;

const DECIDE = `
  WITH decided AS (
    UPDATE approval_requests
    SET status = $2, decided_at = COALESCE(decided_at, now()), decided_by_user_id = COALESCE(decided_by_user_id, $3),
      decision_reason = COALESCE(decision_reason, $4), result = $5
    WHERE id = $1
    RETURNING *
  )
  SELECT ${approvalColumns('a', 'd')} FROM decided a LEFT JOIN users d ON d.id = a.decided_by_user_id`;

const ENDED = `
  SELECT a.id, a.workspace_id AS "workspaceId", a.action, a.title, a.input, a.run_id AS "runId",
    a.decided_by_user_id AS "decidedByUserId", d.name AS "decidedByName"
  FROM ended a LEFT JOIN users d ON d.id = a.decided_by_user_id`;

const EXPIRE = `
  WITH open AS (
    SELECT id FROM approval_requests
    WHERE id = ANY($1::text[]) AND status IN ('pending', 'approved') ORDER BY id FOR UPDATE
  ), ended AS (
    UPDATE approval_requests a SET status = 'expired' FROM open WHERE a.id = open.id
    RETURNING a.*
  )
  ${ENDED}`;

const EXPIRE_DUE = `
  WITH due AS (
    SELECT id FROM approval_requests
    WHERE status IN ('pending', 'approved') AND expires_at <= now()
    ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ), ended AS (
    UPDATE approval_requests a SET status = 'expired' FROM due WHERE a.id = due.id
    RETURNING a.*
  )
  ${ENDED}`;
