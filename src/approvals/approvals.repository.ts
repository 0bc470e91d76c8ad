import { Injectable } from '@nestjs/common';

import { type AuditEntry, auditEvents, givenAuditEvents, insertAuditEvents } from '../audit/index.js';
import type { ActingEnvironment, Person, WorkspaceCaller } from '../core/access/caller.js';
import type { Role } from '../core/access/roles.js';
import { type RowOf, columns } from '../core/database/columns.js';
import { Database } from '../core/database/database.js';
import { insertColumns } from '../core/database/insert-columns.js';
import { named } from '../core/database/named-parameters.js';
import { stringifyJson } from '../core/json/raw-json.js';
import { givenEvents, insertEvents } from '../core/outbox/insert-events.sql.js';
import type { NewEvent } from '../core/outbox/new-event.js';
import { Outbox } from '../core/outbox/outbox.js';
import { type ApprovalRow, approvalColumns } from './approval-columns.sql.js';
import { ApprovalRequest } from './approval-request.entity.js';
import type { ApprovalStatus } from './approval.status.js';
import { mayDecide } from './who-may-decide.js';

/** `behindUserId` is looked up, and the request expires a day later. */
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
  'reason',
  'leastRole',
  'scriptId',
  'scriptOwnerUserId',
  'askerLast',
  'requestedByUserId',
  'credentialKind',
  'credentialId',
  'runId',
  'secretName',
  'secretEnvVar',
);
export type NewApprovalRow = typeof NEW.row;

export type GoneAsker = 'person' | 'api_key' | 'app';

/** A locked request with all that deciding or redeeming it depends on, as it is now. */
export interface LockedApproval
  extends
    ApprovalRow,
    Pick<ApprovalRequest, 'workspaceId' | 'about' | 'behindUserId' | 'credentialKind' | 'credentialId'> {
  workspace: WorkspaceCaller['workspace'];
  /** Who decides, or has approved. `role: null`: not a member any more. */
  person: Person & { role: Role | null };
  mayDecide: boolean;
  /** Who asked is not there any more: the person is no member, the key is revoked, the app disconnected. */
  askerGone: GoneAsker | null;
  /** Where it is to be done; null: deleted. */
  environment: ActingEnvironment | null;
}

const ENDED_COLUMNS = columns(
  ApprovalRequest,
  'a',
  'id',
  'workspaceId',
  'action',
  'title',
  'input',
  'runId',
  'decidedByUserId',
);

/** A request that has ended, as far as others are told. */
export type EndedApprovalRow = RowOf<typeof ENDED_COLUMNS> & { decidedByName: string | null };

export interface Decision {
  id: string;
  status: ApprovalStatus;
  decidedByUserId: string;
  reason: string | null;
  result: Record<string, unknown> | null;
}

/** Filing, deciding and ending requests. */
@Injectable()
export class ApprovalsRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Writes requests with their events and audit events, in one statement. */
  async insertMany(
    requests: readonly NewApprovalRow[],
    events: readonly NewEvent[],
    entries: readonly AuditEntry[],
  ): Promise<ApprovalRow[]> {
    const rows = await this.database.query<ApprovalRow>(
      ...INSERT_MANY({ requests: stringifyJson(requests), ...this.told(events, entries) }),
    );
    this.outbox.wake();
    return rows;
  }

  /** Who is behind a request, and how many besides may decide it. */
  async secondPersons(id: string): Promise<{ behindUserId: string | null; others: number }> {
    return (await this.database.one<{ behindUserId: string | null; others: number }>(SECOND_PERSONS, [id]))!;
  }

  /**
   * Locks a request until the transaction ends. `personId`: who decides; null for the person who has approved.
   * null: there is no such request in the workspace.
   */
  async lock(workspaceId: string, id: string, personId: string | null): Promise<LockedApproval | null> {
    const { count } = await this.database.execute(LOCK, [workspaceId, id]);
    if (count === 0) return null;
    // A statement of its own: what it reads is as it is after the wait for the lock, not as it was before.
    return this.database.one<LockedApproval>(READ_LOCKED, [id, personId]);
  }

  /** Writes what a request came to with its events and audit events, in one statement. */
  async decide(
    { result, ...decision }: Decision,
    events: readonly NewEvent[],
    entries: readonly AuditEntry[],
  ): Promise<ApprovalRow> {
    const row = await this.database.one<ApprovalRow>(
      ...DECIDE({ ...decision, result: result && JSON.stringify(result), ...this.told(events, entries) }),
    );
    if (events.length > 0) this.outbox.wake();
    return row!;
  }

  /** Those of the requests that were still open. */
  expire(ids: readonly string[]): Promise<EndedApprovalRow[]> {
    return this.database.query<EndedApprovalRow>(EXPIRE, [ids]);
  }

  /** The ids of requests whose time is up and that are not marked yet, the oldest first, after so many of them. */
  async due(skipped: number, limit: number): Promise<string[]> {
    const rows = await this.database.query<RowOf<typeof DUE_COLUMNS>>(DUE, [skipped, limit]);
    return rows.map(({ id }) => id);
  }

  /** Marks requests whose time is up. Those that somebody decides just now are left to them. */
  expireDue(limit: number): Promise<EndedApprovalRow[]> {
    return this.database.query<EndedApprovalRow>(EXPIRE_DUE, [limit]);
  }

  private told(events: readonly NewEvent[], entries: readonly AuditEntry[]): Told {
    return { events: this.outbox.rowsOf(events), auditEvents: auditEvents(entries) };
  }
}

interface Told {
  events: string;
  auditEvents: string;
}

const TELL = `
  told AS (${insertEvents(givenEvents())}
  ), audited AS (${insertAuditEvents(givenAuditEvents())})`;

const INSERT_MANY = named<Told & { requests: string }>(`
  WITH made AS (
    INSERT INTO approval_requests (${NEW.columns}, behind_user_id, expires_at)
    SELECT ${NEW.given},
      CASE WHEN given."credentialKind" = 'api_key'
        THEN (SELECT k.created_by_user_id FROM api_keys k WHERE k.id = given."credentialId")
        ELSE given."requestedByUserId" END,
      now() + interval '24 hours'
    FROM ${NEW.recordset(':requests')}
    RETURNING *
  ), ${TELL}
  SELECT ${approvalColumns('a', 'd')} FROM made a LEFT JOIN users d ON d.id = a.decided_by_user_id`);

const SECOND_PERSONS = `
  SELECT a.behind_user_id AS "behindUserId", (
    SELECT count(*) FROM memberships m
    WHERE m.workspace_id = a.workspace_id AND m.user_id IS DISTINCT FROM a.behind_user_id
      AND ${mayDecide({ request: 'a', role: 'm.role', user: 'm.user_id' })}) AS others
  FROM approval_requests a WHERE a.id = $1`;

const LOCK = 'SELECT FROM approval_requests WHERE workspace_id = $1 AND id = $2 FOR UPDATE';

const READ_LOCKED = `
  SELECT ${approvalColumns('a', 'd', 'clock_timestamp()')},
    ${columns(ApprovalRequest, 'a', 'workspaceId', 'about', 'behindUserId', 'credentialKind', 'credentialId')},
    json_build_object('id', w.id, 'slug', w.slug, 'name', w.name) AS workspace,
    json_build_object('id', p.id, 'name', p.name, 'email', p.email, 'role', m.role) AS person,
    COALESCE(${mayDecide({ request: 'a', role: 'm.role', user: 'p.id' })}, false) AS "mayDecide",
    CASE WHEN a.requested_by_user_id IS NOT NULL AND NOT EXISTS (SELECT FROM memberships am
        WHERE am.workspace_id = a.workspace_id AND am.user_id = a.requested_by_user_id) THEN 'person'
      WHEN a.credential_kind = 'api_key' AND EXISTS (SELECT FROM api_keys k
        WHERE k.id = a.credential_id AND k.revoked_at IS NOT NULL) THEN 'api_key'
      WHEN a.credential_kind = 'agent' AND EXISTS (SELECT FROM agent_grants g
        WHERE g.id = a.credential_id AND g.revoked_at IS NOT NULL) THEN 'app' END AS "askerGone",
    CASE WHEN e.id IS NOT NULL THEN json_build_object('id', e.id, 'name', e.name,
      'approvalPolicy', e.approval_policy, 'agentsAllowed', e.agents_allowed, 'isDefault', e.is_default) END AS environment
  FROM approval_requests a
    JOIN workspaces w ON w.id = a.workspace_id
    JOIN users p ON p.id = COALESCE($2::text, a.decided_by_user_id)
    LEFT JOIN users d ON d.id = a.decided_by_user_id
    LEFT JOIN memberships m ON m.workspace_id = a.workspace_id AND m.user_id = p.id
    LEFT JOIN environments e ON e.id = a.environment_id AND e.deleted_at IS NULL
  WHERE a.id = $1`;

/** A secret is fetched while the sign-in of whoever approved it is of the last hour, or little more. */
const DECIDE = named<Told & Omit<Decision, 'result'> & { result: string | null }>(`
  WITH decided AS (
    UPDATE approval_requests
    SET status = :status, decided_at = COALESCE(decided_at, now()),
      decided_by_user_id = COALESCE(decided_by_user_id, :decidedByUserId),
      decision_reason = COALESCE(decision_reason, :reason), result = :result,
      expires_at = CASE WHEN :status = 'approved' THEN least(expires_at, now() + interval '1 hour') ELSE expires_at END
    WHERE id = :id
    RETURNING *
  ), ${TELL}
  SELECT ${approvalColumns('a', 'd')} FROM decided a LEFT JOIN users d ON d.id = a.decided_by_user_id`);

const ENDED = `
  SELECT ${ENDED_COLUMNS}, d.name AS "decidedByName"
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

const DUE_COLUMNS = columns(ApprovalRequest, 'a', 'id');

const DUE = `
  SELECT ${DUE_COLUMNS} FROM approval_requests a
  WHERE a.status IN ('pending', 'approved') AND a.expires_at <= now()
  ORDER BY a.expires_at, a.id OFFSET $1 LIMIT $2`;

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
