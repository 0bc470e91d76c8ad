import type { ApprovalRequest } from '@gatehouse/client/operations';

export type ApprovalStatus = ApprovalRequest['status'];

/** `approved` waits to be fetched by whoever asked; `completed` is approved and done. */
export const STATUS_LABELS: Record<ApprovalStatus, string> = {
  pending: 'Pending',
  approved: 'Approved, to be fetched',
  completed: 'Approved',
  denied: 'Denied',
  failed: 'Approved, but failed',
  expired: 'Expired',
};

/** Those that the history can be narrowed down to. */
export const DECIDED: readonly ApprovalStatus[] = ['completed', 'approved', 'denied', 'failed', 'expired'];

export function isDecided(status: unknown): status is ApprovalStatus {
  return DECIDED.some((decided) => decided === status);
}
