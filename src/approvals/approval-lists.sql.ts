import type { Role } from '../core/access/index.js';
import { boundedPage } from '../core/database/index.js';
import { approvalColumns } from './approval-columns.sql.js';
import { type ApprovalStatus, OPEN_STATUSES } from './approval.status.js';
import { decidableRoles, isTheirTurn, mayDecide, mayDecideAsOwner } from './who-may-decide.js';

const STALE = `a.expires_at <= now()`;

/**
 * One's own requests and those that one may decide, newest first. $1 workspace, $2 person, $3 their role, $4 an id to go on
 * after where `goesOn`. SQL, since each reason to see a request has an index of its own, from which the newest are taken.
 */
export function listSql(
  role: Role,
  status: ApprovalStatus | undefined,
  goesOn: boolean,
  count: number,
): string {
  const viewer = { request: 'a', role: '$3', user: '$2' };
  const turn = isTheirTurn(viewer);
  const groups = [
    'a.requested_by_user_id = $2',
    `${mayDecideAsOwner(viewer)} AND ${turn}`,
    ...decidableRoles(role).map((least) => `a.least_role = '${least}' AND ${turn}`),
  ];
  const before = goesOn ? 'a.id < $4' : 'true';
  const lanes = groups.flatMap((group) =>
    statusConditions(status).map(
      (condition) => `(SELECT a.id, a.bytes FROM approval_requests a
          WHERE a.workspace_id = $1 AND ${group} AND ${before} AND ${condition} ORDER BY a.id DESC LIMIT ${count})`,
    ),
  );
  return boundedPage({
    candidates: `SELECT id, bytes FROM (${lanes.join(' UNION ')}) AS found ORDER BY id DESC LIMIT ${count}`,
    columns: `${approvalColumns()}, a.behind_user_id AS "behindUserId", ${mayDecide(viewer)} AS "mayDecide"`,
    tables: `FROM page JOIN approval_requests a ON a.id = page.id
        LEFT JOIN users d ON d.id = a.decided_by_user_id`,
  });
}

/** As stored, a request is open until it is marked as expired: the few that are not yet are sorted out here. */
function statusConditions(status: ApprovalStatus | undefined): string[] {
  if (status === undefined) return ['true'];
  if (OPEN_STATUSES.includes(status)) return [`a.status = '${status}' AND NOT ${STALE}`];
  if (status !== 'expired') return [`a.status = '${status}'`];
  return [`a.status = 'expired'`, `a.status IN ('pending', 'approved') AND ${STALE}`];
}

/**
 * $1 workspace, $2 request, $3 person, $4 their role. SQL, since it looks among the latest ones only, so that it costs little
 * where there is none.
 */
export const FIND_EARLIER = `
  SELECT ${approvalColumns()}
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
