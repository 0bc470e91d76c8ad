import { columns, type Columns } from '../core/database/index.js';
import { ApprovalRequest } from './approval-request.entity.js';

const STORED = [
  'id',
  'action',
  'title',
  'summary',
  'input',
  'reason',
  'requestedByUserId',
  'runId',
  'expiresAt',
  'createdAt',
  'decidedAt',
  'decidedByUserId',
  'decisionReason',
  'result',
  'secretName',
  'secretEnvVar',
] as const;

/** A request as it is read. Its status is `expired` from that moment on, whether or not it is marked so yet. */
export type ApprovalRow = Pick<ApprovalRequest, (typeof STORED)[number] | 'status'> & {
  decidedByName: string | null;
};

/**
 * The columns of an `ApprovalRow`.
 *
 * @param request the name of `approval_requests` in the statement
 * @param decider the name of `users`, joined by `decided_by_user_id`
 * @param now what decides whether it has expired: `clock_timestamp()` where a lock was waited for
 */
export function approvalColumns(request: string, decider: string, now = 'now()'): Columns<ApprovalRow> {
  return `${columns(ApprovalRequest, request, ...STORED)}, ${decider}.name AS "decidedByName",
    CASE WHEN ${request}.status IN ('pending', 'approved') AND ${request}.expires_at <= ${now} THEN 'expired'
      ELSE ${request}.status END AS status` as Columns<ApprovalRow>;
}
