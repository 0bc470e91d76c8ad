import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/caller.js';
import { boundedPage } from '../core/database/bounded-page.sql.js';
import { Database } from '../core/database/database.js';
import { type ApprovalRow, approvalColumns } from './approval-columns.sql.js';
import type { ApprovalRequest } from './approval-request.entity.js';
import { type ApprovalStatus, OPEN_STATUSES } from './approval.status.js';
import { decidableRoles, isTheirTurn, mayDecide, mayDecideAsOwner } from './who-may-decide.js';

/** A request as somebody reads it in the app. */
export type PersonsApprovalRow = ApprovalRow & Pick<ApprovalRequest, 'behindUserId'> & { mayDecide: boolean };

/** Reading requests. */
@Injectable()
export class ApprovalRequestsRepository {
  constructor(private readonly database: Database) {}

  /** In the app: for who asked and who may decide. */
  findForPerson(
    { workspace, person, role }: WorkspaceCaller,
    id: string,
  ): Promise<PersonsApprovalRow | null> {
    return this.database.one<PersonsApprovalRow>(FIND_FOR_PERSON, [workspace.id, id, person!.id, role]);
  }

  /** The last one like it that was approved, of those that the person may read: by the same action, about the same script. */
  findEarlier({ workspace, person, role }: WorkspaceCaller, id: string): Promise<ApprovalRow | null> {
    return this.database.one<ApprovalRow>(FIND_EARLIER, [workspace.id, id, person!.id, role]);
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
  ): Promise<PersonsApprovalRow[]> {
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
      columns: `${approvalColumns('a', 'd')}, ${READERS(viewer)}`,
      tables: `FROM page JOIN approval_requests a ON a.id = page.id
        LEFT JOIN users d ON d.id = a.decided_by_user_id`,
    });
    return this.database.queryOnce<PersonsApprovalRow>(list, parameters);
  }
}

const READERS = (viewer: Parameters<typeof mayDecide>[0]): string =>
  `a.behind_user_id AS "behindUserId", ${mayDecide(viewer)} AS "mayDecide"`;

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
  SELECT ${approvalColumns('a', 'd')}, ${READERS({ request: 'a', role: '$4', user: '$3' })} ${FROM}
  WHERE a.workspace_id = $1 AND a.id = $2
    AND (a.requested_by_user_id = $3 OR ${mayDecide({ request: 'a', role: '$4', user: '$3' })})`;

/** Looked for among the latest ones only, so that it costs little where there is none. */
const FIND_EARLIER = `
  SELECT ${approvalColumns('a', 'd')}
  FROM approval_requests later
    JOIN LATERAL (
      SELECT * FROM approval_requests earlier
      WHERE earlier.workspace_id = $1 AND earlier.least_role = later.least_role AND earlier.status = 'completed'
        AND earlier.id < later.id
      ORDER BY earlier.id DESC LIMIT 1000) a ON a.action = later.action
      AND COALESCE(a.input ->> 'script', a.input ->> 'slug') = COALESCE(later.input ->> 'script', later.input ->> 'slug')
    LEFT JOIN users d ON d.id = a.decided_by_user_id
  WHERE later.workspace_id = $1 AND later.id = $2
    AND (a.requested_by_user_id = $3 OR ${mayDecide({ request: 'a', role: '$4', user: '$3' })})
  ORDER BY a.id DESC LIMIT 1`;

const FIND_FOR_CREDENTIAL = `
  SELECT ${approvalColumns('a', 'd')} ${FROM}
  WHERE a.workspace_id = $1 AND a.id = $2 AND a.credential_kind = $3 AND a.credential_id = $4`;
