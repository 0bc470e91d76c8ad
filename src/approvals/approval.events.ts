import type { NewEvent } from '../core/outbox/index.js';
import type { ApprovalStatus } from './approval.status.js';

interface ToldApproval {
  id: string;
  workspaceId: string;
  action: string;
  title: string;
  runId: string | null;
  status: ApprovalStatus;
  decidedBy: { userId: string; name: string } | null;
}

/** What the rest of the world is told of a request. Never what it holds. */
export function approvalEvent(
  type: 'approval.requested' | 'approval.decided',
  { id, workspaceId, action, title, runId, status, decidedBy }: ToldApproval,
): NewEvent {
  return {
    workspaceId,
    environmentId: null,
    type,
    data: { requestId: id, action, title, status, runId, decidedBy },
    ...(runId !== null && { causedByRunId: runId }),
  };
}
