import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import { Database } from '../core/database/index.js';
import { Forbidden, NotFound } from '../core/errors/index.js';
import { IdempotencyService } from '../core/idempotency/index.js';
import { ApprovalOutcomesService } from './approval-outcomes.service.js';
import { type Attempt, ApprovalExecutor } from './approval-executor.js';
import { ApprovalRequestsRepository } from './approval-requests.repository.js';
import type { RedemptionDto } from './approval.dto.js';
import { presentApproval } from './approval.presenter.js';
import { statusAfter } from './approval.status.js';
import { ApprovalsRepository, type LockedApproval } from './approvals.repository.js';

const APPROVER_GONE = 'The person who approved this may not do it any more. Ask again.';

/** The token that asked takes what was approved: the action runs once, and its secret is handed out once. */
@Injectable()
export class ApprovalRedemptionsService {
  constructor(
    private readonly requests: ApprovalRequestsRepository,
    private readonly approvals: ApprovalsRepository,
    private readonly executor: ApprovalExecutor,
    private readonly outcomes: ApprovalOutcomesService,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  async redeem(caller: WorkspaceCaller, id: string): Promise<RedemptionDto> {
    const asked = caller.kind === 'personal_token' ? await this.requests.findForCredential(caller, id) : null;
    if (!asked) throw new NotFound('approval request');
    statusAfter(asked.status, 'redeem');
    const unready = await this.executor.prepare(asked.action, asked.input);
    return this.database.transaction(async () => {
      const request = await this.approvals.lock(caller.workspace.id, id, null);
      if (!request) throw new NotFound('approval request');
      statusAfter(request.status, 'redeem');
      const attempt = unready === null ? await this.attempt(request) : { failure: unready };
      return this.record(caller, request, attempt);
    });
  }

  private async attempt(request: LockedApproval): Promise<Attempt> {
    if (!request.mayDecide) return { failure: APPROVER_GONE };
    try {
      return await this.executor.attempt(request);
    } catch (error) {
      if (error instanceof Forbidden) return { failure: APPROVER_GONE };
      throw error;
    }
  }

  private async record(
    caller: WorkspaceCaller,
    request: LockedApproval,
    attempt: Attempt,
  ): Promise<RedemptionDto> {
    const done = 'outcome' in attempt;
    const row = await this.outcomes.record(
      caller,
      request,
      done
        ? { move: 'redeem', result: attempt.outcome.result }
        : { move: 'fail', result: { error: attempt.failure } },
    );
    const response = {
      request: presentApproval(row, this.settings.baseUrl),
      secret: (done && attempt.outcome.secret) || null,
      envVar: done ? request.secretEnvVar : null,
    };
    await this.idempotency.complete(200, response);
    return response;
  }
}
