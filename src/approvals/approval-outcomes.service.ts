import { Injectable } from '@nestjs/common';

import type { AuditAction } from '../audit/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import type { ApprovalRow } from './approval-columns.sql.js';
import { ApprovalEndNotifier } from './approval-end-notifier.js';
import { approvalEvent } from './approval.events.js';
import { type ApprovalMove, statusAfter } from './approval.status.js';
import { ApprovalsRepository, type LockedApproval } from './approvals.repository.js';

export interface Verdict {
  move: Exclude<ApprovalMove, 'expire'>;
  /** Why it was denied, in the decider's words. */
  reason?: string | null;
  /** What it came to, for everyone who may see the request. */
  result?: Record<string, unknown>;
}

const AUDIT_ACTIONS: Record<Verdict['move'], AuditAction> = {
  perform: 'approval.approved',
  grant: 'approval.approved',
  deny: 'approval.denied',
  fail: 'approval.failed',
  redeem: 'approval.redeemed',
};

/** Writes down what a request came to, in the transaction that holds its lock. */
@Injectable()
export class ApprovalOutcomesService {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly endNotifier: ApprovalEndNotifier,
  ) {}

  async record(
    caller: WorkspaceCaller,
    request: LockedApproval,
    { move, reason = null, result = undefined }: Verdict,
  ): Promise<ApprovalRow> {
    const { id, workspaceId, action, title, runId, input, person } = request;
    const status = statusAfter(request.status, move);
    const decision = { id, status, decidedByUserId: person.id, reason, result: result ?? null };
    const decidedBy = { userId: person.id, name: person.name };
    const told = { id, workspaceId, action, title, runId, status, decidedBy };
    // What follows an approval that waits to be redeemed is between the token and its owner.
    const events = request.status === 'pending' ? [approvalEvent('approval.decided', told)] : [];
    const target = { type: 'approval_request', id };
    const row = await this.approvals.decide(decision, events, [
      { workspaceId, by: caller, action: AUDIT_ACTIONS[move], target, details: { action } },
    ]);
    if (status === 'denied' || status === 'failed') {
      const why = status === 'denied' ? reason : String(result?.['error']);
      await this.endNotifier.clearUp(action, [{ id, workspaceId, input, runId, status, reason: why }]);
    }
    return row;
  }
}
