import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/caller.js';
import { boundedPage } from '../core/database/bounded-page.sql.js';
import { Database } from '../core/database/database.js';
import { type ApprovalRow, approvalColumns } from './approval-columns.sql.js';
import { type ApprovalStatus, OPEN_STATUSES } from './approval.status.js';
import { decidableRoles, isTheirTurn, mayDecide, mayDecideAsOwner } from './who-may-decide.js';

/** Reading requests. */
@Injectable()
export class ApprovalRequestsRepository {
  constructor(private readonly database: Database) {}

  /** In the app: for who asked and who may decide. */
  findForPerson({ workspace, person, role }: WorkspaceCaller, id: string): Promise<ApprovalRow | null> {
    return this.database.one<ApprovalRow>(FIND_FOR_PERSON, [workspace.id, id, person!.id, role]);
  }

  /** For the token, grant or key that asked. */
  findForCredential(caller: WorkspaceCaller, id: string): Promise<ApprovalRow | null> {
    const { workspace, kind, credentialId } = caller;
    return this.database.one<ApprovalRow>(FIND_FOR_CREDENTIAL, [workspace.id, id, kind, credentialId]);
  }

  /** One's own and those that one may decide, newest first. */
  list(
    { workspace, person, role }: WorkspaceCaller,
    status: ApprovalStatus | undefined,
    after: string | null,
    count: number,
  ): Promise<ApprovalRow[]> {
    const parameters: unknown[] = [workspace.id, person!.id, role];
    const bind = (value: unknown): string => `$${parameters.push(value)}`;
    const viewer = { request: 'a', role: '$3', user: '$2' };
    const turn = isTheirTurn(viewer);
    const groups = [
      'a.requested_by_user_id = $2',
      `${mayDecideAsOwner(viewer)} AND ${turn}`,
      ...decidableRoles(role).map((least) => `a.least_role = '${least}' AND ${turn}`),
    ];
    const before = after === null ? 'true' : `a.id < ${bind(after)}`;
    const lanes = groups.flatMap((group) =>
      statusConditions(status).map(
        (condition) => `(SELECT a.id, a.bytes FROM approval_requests a
          WHERE a.workspace_id = $1 AND ${group} AND ${before} AND ${condition} ORDER BY a.id DESC LIMIT ${count})`,
      ),
    );
    const list = boundedPage({
      candidates: `SELECT id, bytes FROM (${lanes.join(' UNION ')}) AS found ORDER BY id DESC LIMIT ${count}`,
      columns: approvalColumns('a', 'd'),
      tables: `FROM page JOIN approval_requests a ON a.id = page.id
        LEFT JOIN users d ON d.id = a.decided_by_user_id`,
    });
    return this.database.queryOnce<ApprovalRow>(list, parameters);
  }
}

const STALE = `a.expires_at <= now()`;

/** As stored, a request is open until it is marked as expired: the few that are not yet are sorted out here. */
function statusConditions(status: ApprovalStatus | undefined): string[] {
  if (status === undefined) return ['true'];
  if (OPEN_STATUSES.includes(status)) return [`a.status = '${status}' AND NOT ${STALE}`];
  if (status !== 'expired') return [`a.status = '${status}'`];
  return [`a.status = 'expired'`, `a.status IN ('pending', 'approved') AND ${STALE}`];
}

const FROM = 'FROM approval_requests a LEFT JOIN users d ON d.id = a.decided_by_user_id';

const FIND_FOR_PERSON = `
  SELECT ${approvalColumns('a', 'd')} ${FROM}
  WHERE a.workspace_id = $1 AND a.id = $2
    AND (a.requested_by_user_id = $3 OR ${mayDecide({ request: 'a', role: '$4', user: '$3' })})`;

const FIND_FOR_CREDENTIAL = `
  SELECT ${approvalColumns('a', 'd')} ${FROM}
  WHERE a.workspace_id = $1 AND a.id = $2 AND a.credential_kind = $3 AND a.credential_id = $4`;
