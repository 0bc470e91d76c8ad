import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../../audit/index.js';
import type { RememberedCredential, WorkspaceCaller } from '../../core/access/index.js';
import { Causes } from '../../core/causes/index.js';
import { newId } from '../../core/crypto/index.js';
import { Database, keysetPage, type Page, type PageRequest } from '../../core/database/index.js';
import { Conflict, Forbidden, InvalidRequest, NotFound, RateLimited } from '../../core/errors/index.js';
import { Waker } from '../../core/work/index.js';
import { BACKLOG, RunBacklog } from '../automated/run-backlog.js';
import type { RunFilters } from '../run-filters.js';
import { statusesIn } from '../run-filters.form.js';
import type { RunStatus } from '../run.status.js';
import { RunsRepository } from '../runs.repository.js';
import { CREDENTIAL_TYPES } from '../starting/run.policy.js';
import type {
  MatchingRunsDto,
  RunOperationDto,
  RunsCancelInput,
  RunsRerunInput,
} from './run-operation.dto.js';
import { presentOperation, presentSingleOperation } from './run-operation.presenter.js';
import { MOST_OPERATIONS, type OperationKind, STATUSES_FOR } from './run-operation.rules.js';
import { RUN_OPERATIONS } from './run-operation.topics.js';
import { RunOperationsRepository } from './run-operations.repository.js';

const RETRY_SECONDS = 10;

type Found = MatchingRunsDto & { runIds: string[] };

/** What somebody asks to be done to all runs that fit a filter. */
@Injectable()
export class RunOperationsService {
  constructor(
    private readonly operations: RunOperationsRepository,
    private readonly runs: RunsRepository,
    private readonly backlog: RunBacklog,
    private readonly causes: Causes,
    private readonly audit: AuditTrail,
    private readonly waker: Waker,
    private readonly database: Database,
  ) {}

  /** Which runs belong to it is settled here: one that comes later does not. */
  async ask(
    caller: WorkspaceCaller,
    credential: RememberedCredential,
    kind: OperationKind,
    { all, dryRun, limit, ...given }: RunsCancelInput | RunsRerunInput,
  ): Promise<MatchingRunsDto | RunOperationDto> {
    const filter = filterOf(caller, given, all);
    if (dryRun) {
      const { matched, more } = await this.matching(caller, kind, filter, limit);
      return { matched, more };
    }
    if (kind === 'rerun') await this.assertMayStart(caller.workspace.id);
    const id = newId('operation');
    await this.database.transaction(async () => {
      const workspaceId = caller.workspace.id;
      if (!(await this.operations.hasRoom(workspaceId))) {
        throw new RateLimited(
          RETRY_SECONDS,
          `${MOST_OPERATIONS} operations on many runs go on in this workspace, or one is just being asked for. Wait for one, or end it.`,
        );
      }
      const found = await this.matching(caller, kind, filter, limit);
      await this.operations.insert({
        id,
        workspaceId,
        kind,
        filter,
        ...found,
        environmentId: caller.bound ? caller.environment.id : null,
        startedByUserId: caller.person?.id ?? null,
        credentialId: caller.credentialId,
        credentialType: CREDENTIAL_TYPES[caller.kind],
        credentialName: caller.credentialName,
        credentialStrategy: credential.strategy,
        credentialHash: credential.hash,
        causedByRunId: this.causes.runIn(workspaceId),
      });
      if (found.matched === 0) await this.operations.end(id, 'completed', null);
      const details = { kind, filter, runs: found.matched };
      await this.record(caller, 'run_operation.started', id, details);
    });
    this.waker.wake(RUN_OPERATIONS);
    return this.get(caller, id);
  }

  list(caller: WorkspaceCaller, request: PageRequest): Promise<Page<RunOperationDto>> {
    const { workspace, role, person, credentialId, scriptChoice, bound, environment } = caller;
    const seenBy = [workspace.id, role, person?.id, scriptChoice && credentialId, bound && environment.id];
    return keysetPage(
      request,
      { list: 'run_operations', filters: seenBy },
      (after, count) => this.operations.list(caller, after, count),
      presentOperation,
    );
  }

  async get(caller: WorkspaceCaller, id: string): Promise<RunOperationDto> {
    const operation = await this.operations.find(caller, id);
    if (!operation) throw new NotFound('operation');
    return presentSingleOperation(operation);
  }

  /** A step in progress is finished first. */
  async cancel(caller: WorkspaceCaller, id: string): Promise<RunOperationDto> {
    const { kind } = await this.get(caller, id);
    await this.database.transaction(async () => {
      if (!(await this.operations.end(id, 'cancelled', null))) throw new Conflict('The operation has ended.');
      await this.record(caller, 'run_operation.cancelled', id, { kind });
    });
    return this.get(caller, id);
  }

  /** The newest that fit, the oldest of them first. Each status is a range of an index. */
  private async matching(
    caller: WorkspaceCaller,
    kind: OperationKind,
    { status: only, ...filter }: RunFilters,
    limit: number,
  ): Promise<Found> {
    const wanted: readonly RunStatus[] = only === undefined ? STATUSES_FOR[kind] : statusesIn(only);
    const statuses = STATUSES_FOR[kind].filter((status) => wanted.includes(status));
    const found: string[] = [];
    for (const status of statuses) {
      found.push(...(await this.runs.idsOf(caller, { ...filter, status }, limit + 1)));
    }
    const runIds = found.sort().reverse().slice(0, limit).reverse();
    return { runIds, matched: runIds.length, more: found.length > limit };
  }

  /** What a script starts counts for its chain, and each of the runs would begin one of its own. */
  private async assertMayStart(workspaceId: string): Promise<void> {
    if (this.causes.runIn(workspaceId) !== null)
      throw new Conflict('A script runs others again one by one: POST /v1/runs/{runId}/rerun.');
    if ((await this.backlog.full([workspaceId])).has(workspaceId)) {
      throw new RateLimited(BACKLOG.retrySeconds, `Runs have no room to be run again: ${BACKLOG.full}.`);
    }
  }

  private record(
    caller: WorkspaceCaller,
    action: 'run_operation.started' | 'run_operation.cancelled',
    id: string,
    details: Record<string, unknown>,
  ): Promise<void> {
    return this.audit.record(caller.workspace.id, caller, action, { type: 'run_operation', id }, details);
  }
}

/** Whoever leaves all out by mistake must not mean all. */
function filterOf({ bound, environment }: WorkspaceCaller, given: RunFilters, all: boolean): RunFilters {
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  if (all && named.length > 0)
    throw InvalidRequest.at('all', 'is for all runs: leave it out, or what narrows');
  if (!all && named.length === 0)
    throw InvalidRequest.at('all', 'must be true where nothing narrows which runs are meant');
  if (bound && given.environment !== undefined && given.environment !== environment.name)
    throw new Forbidden(`This credential is bound to the environment ${environment.name}.`);
  return Object.fromEntries(named);
}
