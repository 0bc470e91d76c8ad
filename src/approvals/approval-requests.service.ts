import { Injectable } from '@nestjs/common';

import { isAgent, type WorkspaceCaller } from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import { Database, keysetPage, type Page } from '../core/database/index.js';
import { Forbidden, InvalidRequest, NotFound } from '../core/errors/index.js';
import { IdempotencyService } from '../core/idempotency/index.js';
import { SchemaChecks } from '../core/schema/index.js';
import { ApprovalActions } from './approval-actions.js';
import { ApprovalFilingService } from './approval-filing.service.js';
import { ApprovalRequestsRepository, type PersonsApprovalRow } from './approval-requests.repository.js';
import type {
  ApprovableActionList,
  ApprovalListQuery,
  ApprovalRequestDto,
  ApprovalRequestInput,
} from './approval.dto.js';
import { presentApproval, presentEarlier, presentToPerson } from './approval.presenter.js';
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
    if (caller.kind === 'session') return this.getInApp(caller, id);
    const row = await this.requests.findForCredential(caller, id);
    if (!row) throw new NotFound('approval request');
    return presentApproval(row, this.settings.baseUrl);
  }

  async list(caller: WorkspaceCaller, query: ApprovalListQuery): Promise<Page<ApprovalRequestDto>> {
    const { status, limit, cursor } = query;
    const viewer = [caller.workspace.id, caller.person!.id, caller.role];
    const { items, nextCursor } = await keysetPage(
      { limit, cursor },
      { list: 'approval-requests', filters: [viewer, status] },
      (after, count) => this.requests.list(caller, status, after, count),
      (row) => row,
    );
    return { items: await this.presentInApp(caller, items), nextCursor };
  }

  private async getInApp(caller: WorkspaceCaller, id: string): Promise<ApprovalRequestDto> {
    const row = await this.requests.findForPerson(caller, id);
    if (!row) throw new NotFound('approval request');
    const [request] = await this.presentInApp(caller, [row]);
    const previous = await this.requests.findEarlier(caller, id);
    return { ...request!, previous: previous && presentEarlier(previous) };
  }

  /** Whether an action takes a second person is looked up only where the reader could be the first one. */
  private async presentInApp(
    { workspace, person }: WorkspaceCaller,
    rows: readonly PersonsApprovalRow[],
  ): Promise<ApprovalRequestDto[]> {
    const userId = person!.id;
    const own = rows.filter(
      (row) => row.mayDecide && row.status === 'pending' && row.behindUserId === userId,
    );
    const secondPerson = new Set<string>();
    for (const action of new Set(own.map((row) => row.action))) {
      const provider = this.actions.find(action)?.provider;
      const needed = provider?.needsSecondPerson?.bind(provider);
      if (needed && (await this.database.transaction(() => needed(workspace.id)))) secondPerson.add(action);
    }
    return rows.map((row) =>
      presentToPerson(row, { userId, secondPerson: secondPerson.has(row.action) }, this.settings.baseUrl),
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
    if (isAgent(caller) && action.provider.secret) {
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
    throw InvalidRequest.listing(details);
  }
}
