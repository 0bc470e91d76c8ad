import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/audit-trail.js';
import type { AuditAction } from '../audit/audit.actions.js';
import type { WorkspaceCaller } from '../core/access/caller.js';
import { Settings } from '../core/config/settings.js';
import { Database } from '../core/database/database.js';
import { NotFound } from '../core/errors/problems.js';
import { Idempotency } from '../core/idempotency/idempotency.js';
import { ApprovalActions } from './approval-actions.js';
import { ApprovalEndings } from './approval-endings.js';
import { ApprovalPerformance } from './approval-performance.js';
import { ApprovalRequestsRepository } from './approval-requests.repository.js';
import type { ApprovalRequestDto } from './approval.dto.js';
import { ApprovalEvents } from './approval.events.js';
import { presentApproval } from './approval.presenter.js';
import { type ApprovalMove, statusAfter } from './approval.status.js';
import { ApprovalsRepository, type LockedApproval } from './approvals.repository.js';
import { assertMayDecide } from './who-may-decide.js';

interface Verdict {
  move: ApprovalMove;
  reason?: string | null;
  result?: Record<string, unknown>;
  forApprover?: Record<string, unknown> | undefined;
}

/** A person says yes or no. Exactly one decision counts, and with a yes the thing is done or nothing of it is. */
@Injectable()
export class ApprovalDecisions {
  constructor(
    private readonly requests: ApprovalRequestsRepository,
    private readonly approvals: ApprovalsRepository,
    private readonly actions: ApprovalActions,
    private readonly performance: ApprovalPerformance,
    private readonly endings: ApprovalEndings,
    private readonly events: ApprovalEvents,
    private readonly audit: AuditTrail,
    private readonly idempotency: Idempotency,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  async approve(caller: WorkspaceCaller, id: string): Promise<ApprovalRequestDto> {
    const unready = await this.prepare(caller, id);
    return this.decide(caller, id, async (request) => {
      statusAfter(request.status, 'perform');
      if (request.secretName !== null) {
        const obstacle = this.performance.obstacle(request) ?? unready;
        return obstacle === null ? { move: 'grant' } : { move: 'fail', result: { error: obstacle } };
      }
      const attempt = unready === null ? await this.performance.attempt(request) : { failure: unready };
      return 'outcome' in attempt
        ? { move: 'perform', ...attempt.outcome }
        : { move: 'fail', result: { error: attempt.failure } };
    });
  }

  deny(caller: WorkspaceCaller, id: string, reason: string | null): Promise<ApprovalRequestDto> {
    return this.decide(caller, id, () => Promise.resolve({ move: 'deny', reason }));
  }

  /** Before any lock is held. Who may not decide makes nobody look anything up. */
  private async prepare(caller: WorkspaceCaller, id: string): Promise<string | null> {
    const request = await this.requests.findForPerson(caller, id);
    if (request?.status !== 'pending') return null;
    return this.performance.prepare(request.action, request.input);
  }

  private decide(
    caller: WorkspaceCaller,
    id: string,
    judge: (request: LockedApproval) => Promise<Verdict>,
  ): Promise<ApprovalRequestDto> {
    const personId = caller.person!.id;
    return this.database.transaction(async () => {
      const request = await this.approvals.lock(caller.workspace.id, id, personId);
      if (!request) throw new NotFound('approval request');
      assertMayDecide(request, personId, await this.needsSecondPerson(request));
      return this.record(caller, request, await judge(request));
    });
  }

  private async needsSecondPerson({ action, workspaceId }: LockedApproval): Promise<boolean> {
    return (await this.actions.find(action)?.provider.needsSecondPerson?.(workspaceId)) ?? false;
  }

  private async record(
    caller: WorkspaceCaller,
    request: LockedApproval,
    { move, reason = null, result, forApprover }: Verdict,
  ): Promise<ApprovalRequestDto> {
    const { id, workspaceId, action, title, runId, input } = request;
    const status = statusAfter(request.status, move);
    const row = await this.approvals.decide(id, {
      status,
      decidedByUserId: caller.person!.id,
      reason,
      result: result ?? null,
    });
    const { id: userId, name } = caller.person!;
    await this.events.tell('approval.decided', [
      { id, workspaceId, action, title, runId, status, decidedBy: { userId, name } },
    ]);
    await this.audit.record(workspaceId, caller, auditOf(move), { type: 'approval_request', id }, { action });
    if (status === 'denied' || status === 'failed') {
      const why = status === 'denied' ? reason : String(result?.['error']);
      await this.endings.clearUp(action, [{ id, workspaceId, input, runId, status, reason: why }]);
    }
    const shownNow = forApprover ? { ...row, result: { ...row.result, ...forApprover } } : row;
    const answer = presentApproval(shownNow, this.settings.baseUrl);
    await this.idempotency.complete(200, answer);
    return answer;
  }
}

function auditOf(move: ApprovalMove): AuditAction {
  if (move === 'deny') return 'approval.denied';
  return move === 'fail' ? 'approval.failed' : 'approval.approved';
}
