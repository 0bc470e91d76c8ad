import { Injectable } from '@nestjs/common';

import { Outbox } from '../core/outbox/outbox.js';
import type { ApprovalStatus } from './approval.status.js';

export interface ToldApproval {
  id: string;
  workspaceId: string;
  action: string;
  title: string;
  runId: string | null;
  status: ApprovalStatus;
  decidedBy: { userId: string; name: string } | null;
}

/** Tells the rest of the world of requests, in the transaction of what happens to them. Never what they hold. */
@Injectable()
export class ApprovalEvents {
  constructor(private readonly outbox: Outbox) {}

  tell(type: 'approval.requested' | 'approval.decided', requests: readonly ToldApproval[]): Promise<void> {
    return this.outbox.addMany(
      requests.map(({ id, workspaceId, action, title, runId, status, decidedBy }) => ({
        workspaceId,
        environmentId: null,
        type,
        data: { requestId: id, action, title, status, runId, decidedBy },
        ...(runId !== null && { causedByRunId: runId }),
      })),
    );
  }
}
