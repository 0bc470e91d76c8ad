import { Injectable } from '@nestjs/common';

import type { WorkspaceCaller } from '../core/access/caller.js';
import { Settings } from '../core/config/settings.js';
import { Database } from '../core/database/database.js';
import { type Page, keysetPage } from '../core/database/page.js';
import { Forbidden, InvalidRequest, NotFound } from '../core/errors/problems.js';
import { IdempotencyService } from '../core/idempotency/idempotency.service.js';
import { SchemaChecks } from '../core/schema/schema-checks.js';
import { ApprovalActions } from './approval-actions.js';
import { ApprovalFilingService } from './approval-filing.service.js';
import { ApprovalRequestsRepository } from './approval-requests.repository.js';
import type {
  ApprovableActionList,
  ApprovalListQuery,
  ApprovalRequestDto,
  ApprovalRequestInput,
} from './approval.dto.js';
import { presentApproval } from './approval.presenter.js';
import { askerOf } from './asker.js';
import type { RegisteredAction } from './registered-action.js';

/** Asking a person, and seeing what became of it. */
@Injectable()
export class ApprovalRequestsService {
  constructor(
    private readonly requests: ApprovalRequestsRepository,
    private readonly actions: ApprovalActions,
    private readonly filing: ApprovalFilingService,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly checks: SchemaChecks,
  ) {}

  listActions(): ApprovableActionList {
    return { items: this.actions.list() };
  }

  async create(caller: WorkspaceCaller, wanted: ApprovalRequestInput): Promise<ApprovalRequestDto> {
    const { action, reason } = wanted;
    const registered = this.askable(caller, action);
    const { provider } = registered;
    const input = await registered.validInput(wanted.input, this.checks, caller.workspace.id);
    const summary = await belowInput(async () => {
      const text = await provider.summarise(input, caller);
      await provider.prepare?.(input);
      return text;
    });
    return this.database.transaction(async () => {
      const filed = await this.filing.file({
        workspaceId: caller.workspace.id,
        environmentId: caller.environment.id,
        action,
        summary,
        input,
        reason,
        asker: askerOf(caller),
      });
      const response = presentApproval(filed, this.settings.baseUrl);
      await this.idempotency.complete(201, response);
      return response;
    });
  }

  async get(caller: WorkspaceCaller, id: string): Promise<ApprovalRequestDto> {
    const row = await (caller.kind === 'session'
      ? this.requests.findForPerson(caller, id)
      : this.requests.findForCredential(caller, id));
    if (!row) throw new NotFound('approval request');
    return presentApproval(row, this.settings.baseUrl);
  }

  list(caller: WorkspaceCaller, query: ApprovalListQuery): Promise<Page<ApprovalRequestDto>> {
    const { status, limit, cursor } = query;
    const viewer = [caller.workspace.id, caller.person!.id, caller.role];
    return keysetPage(
      { limit, cursor },
      { list: 'approval-requests', filters: [viewer, status] },
      (after, count) => this.requests.list(caller, status, after, count),
      (row) => presentApproval(row, this.settings.baseUrl),
    );
  }

  private askable(caller: WorkspaceCaller, id: string): RegisteredAction {
    const action = this.actions.find(id);
    if (!action || action.provider.internal === true) {
      throw InvalidRequest.at(
        'action',
        'is not an action that can be asked for; GET /v1/workspace/approval-actions lists them',
      );
    }
    if (caller.kind === 'agent' && action.provider.secret) {
      throw new Forbidden(`Agents may not ask for ${id}, which creates a secret.`);
    }
    return action;
  }
}

/** What is wrong is wrong with the input; what the asker cannot see is not there. */
async function belowInput<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotFound) throw InvalidRequest.at('input', error.message);
    if (!(error instanceof InvalidRequest)) throw error;
    const details = (error.details ?? [{ path: '', message: error.message }]).map(({ path, message }) => ({
      path: path === '' || path === 'input' || path.startsWith('input.') ? path || 'input' : `input.${path}`,
      message,
    }));
    throw new InvalidRequest(details.map(({ path, message }) => `${path}: ${message}`).join('; '), details);
  }
}
