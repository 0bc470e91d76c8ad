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
  'credentialName',
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
 * The columns of an `ApprovalRow`, in a statement that has `approval_requests` as `a` and its decider of `users` as `d`.
 *
 * @param now what decides whether it has expired: `clock_timestamp()` where a lock was waited for
 */
export function approvalColumns(now = 'now()'): Columns<ApprovalRow> {
  return `${columns(ApprovalRequest, 'a', ...STORED)}, d.name AS "decidedByName",
    CASE WHEN a.status IN ('pending', 'approved') AND a.expires_at <= ${now} THEN 'expired'
      ELSE a.status END AS status` as Columns<ApprovalRow>;
}
