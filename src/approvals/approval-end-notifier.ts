import { Injectable } from '@nestjs/common';

import { type AuditActor, AuditTrail } from '../audit/index.js';
import type { Caller } from '../core/access/index.js';
import { Outbox } from '../core/outbox/index.js';
import type { UnperformedRequest } from './approval-action.js';
import { ApprovalActions } from './approval-actions.js';
import { approvalEvent } from './approval.events.js';
import type { EndedApproval } from './approvals.repository.js';

/** Tells everyone concerned that requests have ended, in the transaction in which they did. */
@Injectable()
export class ApprovalEndNotifier {
  constructor(
    private readonly actions: ApprovalActions,
    private readonly outbox: Outbox,
    private readonly audit: AuditTrail,
  ) {}

  async tellExpired(requests: readonly EndedApproval[], by: Caller | AuditActor): Promise<void> {
    if (requests.length === 0) return;
    await this.outbox.addMany(
      requests.map(({ decidedByUserId, decidedBy, ...request }) =>
        approvalEvent('approval.decided', {
          ...request,
          status: 'expired',
          decidedBy:
            decidedByUserId === null ? null : { userId: decidedByUserId, name: decidedBy?.name ?? '' },
        }),
      ),
    );
    await this.audit.recordMany(
      requests.map(({ id, workspaceId, action }) => ({
        workspaceId,
        by,
        action: 'approval.expired' as const,
        target: { type: 'approval_request', id },
        details: { action },
      })),
    );
  }

  /** Lets the actions look after what waited for requests of theirs. */
  async clearUp(action: string, requests: readonly UnperformedRequest[]): Promise<void> {
    if (requests.length > 0) await this.actions.find(action)?.provider.unperformed?.(requests);
  }
}
