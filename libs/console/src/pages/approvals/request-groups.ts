import type { ApprovalRequest } from '@gatehouse/client/operations';

/** What is decided together: the requests that one run wants to send, or a single one. */
export interface RequestGroup {
  /** The run's, or the single request's: it stays while more of the run come to wait. */
  id: string;
  /** The newest. */
  first: ApprovalRequest;
  /** All, in the order of the list. */
  requests: readonly ApprovalRequest[];
}

/** Each where the first of its requests stands. */
export function requestGroups(requests: readonly ApprovalRequest[]): RequestGroup[] {
  const groups = new Map<string, ApprovalRequest[]>();
  for (const request of requests) {
    const key = isOfRun(request) ? request.runId! : request.id;
    const group = groups.get(key);
    if (group) group.push(request);
    else groups.set(key, [request]);
  }
  return [...groups].map(([id, group]) => ({ id, first: group[0]!, requests: group }));
}

function isOfRun({ action, status, runId }: ApprovalRequest): boolean {
  return action === 'request.send' && status === 'pending' && runId !== null;
}
