import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import { Database } from '../core/database/index.js';
import { ConfirmationRequired, NotFound } from '../core/errors/index.js';
import { IdempotencyService } from '../core/idempotency/index.js';
import { ApprovalActions } from './approval-actions.js';
import { ApprovalOutcomesService, type Verdict } from './approval-outcomes.service.js';
import { ApprovalExecutor } from './approval-executor.js';
import { ApprovalRequestsRepository } from './approval-requests.repository.js';
import type { ApprovalRequestDto } from './approval.dto.js';
import { presentApproval } from './approval.presenter.js';
import { statusAfter } from './approval.status.js';
import { ApprovalsRepository, type LockedApproval } from './approvals.repository.js';
import { assertMayDecide } from './who-may-decide.js';

/** With what only the person who approves gets to see. */
type DecidersVerdict = Verdict & { forApprover?: Record<string, unknown> | undefined };

/** A person says yes or no. Exactly one decision counts, and with a yes the thing is done or nothing of it is. */
@Injectable()
export class ApprovalDecisionsService {
  constructor(
    private readonly requests: ApprovalRequestsRepository,
    private readonly approvals: ApprovalsRepository,
    private readonly actions: ApprovalActions,
    private readonly executor: ApprovalExecutor,
    private readonly outcomes: ApprovalOutcomesService,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  async approve(caller: WorkspaceCaller, id: string): Promise<ApprovalRequestDto> {
    const unready = await this.prepare(caller, id);
    return this.decide(caller, id, async (request) => {
      statusAfter(request.status, 'perform');
      if (this.actions.find(request.action)?.needsConfirmation && !caller.confirmed) {
        throw new ConfirmationRequired();
      }
      if (request.secretName !== null) {
        const obstacle = this.executor.obstacle(request) ?? unready;
        return obstacle === null ? { move: 'grant' } : { move: 'fail', result: { error: obstacle } };
      }
      const attempt =
        unready === null ? await this.executor.attempt(request, caller.credentialId) : { failure: unready };
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
    return this.executor.prepare(request.action, request.input);
  }

  private decide(
    caller: WorkspaceCaller,
    id: string,
    judge: (request: LockedApproval) => Promise<DecidersVerdict>,
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
    { forApprover, ...verdict }: DecidersVerdict,
  ): Promise<ApprovalRequestDto> {
    const row = await this.outcomes.record(caller, request, verdict);
    const presented = forApprover ? { ...row, result: { ...row.result, ...forApprover } } : row;
    const response = presentApproval(presented, this.settings.baseUrl);
    await this.idempotency.complete(200, response);
    return response;
  }
}
