import { InvalidRequest } from '../core/errors/index.js';

export const APPROVAL_STATUSES = ['pending', 'approved', 'completed', 'denied', 'failed', 'expired'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** What can happen to a request: approved and performed, approved and left to be redeemed, and so on. */
export type ApprovalMove = 'perform' | 'grant' | 'redeem' | 'deny' | 'fail' | 'expire';

const MOVES: Readonly<Record<ApprovalStatus, Partial<Record<ApprovalMove, ApprovalStatus>>>> = {
  pending: { perform: 'completed', grant: 'approved', deny: 'denied', fail: 'failed', expire: 'expired' },
  approved: { redeem: 'completed', fail: 'failed', expire: 'expired' },
  completed: {},
  denied: {},
  failed: {},
  expired: {},
};

const REFUSALS: Readonly<Record<ApprovalStatus, string>> = {
  pending: 'The request is not approved yet.',
  approved: 'The request is approved already and waits to be redeemed.',
  completed: 'The request is completed already.',
  denied: 'The request was denied.',
  failed: 'The request was approved and failed.',
  expired: 'The request has expired.',
};

/** Those that something can still happen to. */
export const OPEN_STATUSES: readonly ApprovalStatus[] = APPROVAL_STATUSES.filter(
  (status) => Object.keys(MOVES[status]).length > 0,
);

/**
 * The status after a move.
 *
 * @throws InvalidRequest where the status does not allow it
 */
export function statusAfter(status: ApprovalStatus, move: ApprovalMove): ApprovalStatus {
  const next = MOVES[status][move];
  if (next === undefined) throw new InvalidRequest(REFUSALS[status]);
  return next;
}
