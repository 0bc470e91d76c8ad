import { Injectable } from '@nestjs/common';

import { ApprovalsService } from '../approvals/index.js';
import { AuditTrail } from '../audit/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { Database, keysetPage, type Page, wholeList } from '../core/database/index.js';
import { Conflict, Forbidden, InvalidRequest, NotFound } from '../core/errors/index.js';
import { RunFilesService } from '../files/index.js';
import { WholeLogReader } from './log/whole-log.reader.js';
import type { SingleRunRow } from './run-columns.js';
import type { RunListQuery } from './run-list.dto.js';
import type { RunDto } from './run.dto.js';
import { presentRun, presentSingleRun } from './run.presenter.js';
import type { Run } from './run.entity.js';
import type { RunFilters } from './run-filters.js';
import { CANCELLATION, type RunPhase } from './run.status.js';
import { RunsRepository } from './runs.repository.js';
import { turnOf } from './turns/run-turn.rules.js';

/** Runs as callers see and cancel them. */
@Injectable()
export class RunsService {
  constructor(
    private readonly runs: RunsRepository,
    private readonly files: RunFilesService,
    private readonly approvals: ApprovalsService,
    private readonly audit: AuditTrail,
    private readonly database: Database,
    private readonly logs: WholeLogReader,
  ) {}

  async get(caller: WorkspaceCaller, id: string): Promise<RunDto> {
    return this.present(await this.visible(caller, id));
  }

  list(caller: WorkspaceCaller, query: RunListQuery): Promise<Page<RunDto>> {
    const { limit, cursor, ...filters } = query;
    const { bound, environment, scriptChoice } = caller;
    assertWithin(caller, filters);
    const only = [bound ? environment.id : null, scriptChoice];
    const seenBy = [caller.workspace.id, caller.role, caller.person?.id, ...only];
    return keysetPage(
      { limit, cursor },
      { list: 'runs', filters: [seenBy, filters] },
      (after, count) => this.runs.list(caller, filters, after, count),
      presentRun,
    );
  }

  /** All that fit, the newest first. */
  all(caller: WorkspaceCaller, filters: RunFilters): AsyncGenerator<RunDto> {
    assertWithin(caller, filters);
    return wholeList((after, count) => this.runs.list(caller, filters, after, count), presentRun);
  }

  /** @throws Conflict where it does not wait for a time that may be changed */
  async move(caller: WorkspaceCaller, id: string, startAt: string): Promise<RunDto> {
    const run = await this.visible(caller, id);
    const now = new Date();
    const at = turnOf({ startAt }, now).startAt ?? now;
    if (run.expiresAt !== null && at >= run.expiresAt)
      throw InvalidRequest.at('startAt', `must be before the run expires, at ${run.expiresAt.toISOString()}`);
    await this.database.transaction(async () => {
      if (!(await this.runs.move(id, at))) throw new Conflict(whyNotMoved(run));
      const details = { startAt: at.toISOString(), before: run.startAt?.toISOString() };
      await this.audit.record(caller.workspace.id, caller, 'run.moved', { type: 'run', id }, details);
    });
    return this.get(caller, id);
  }

  /** `finished`: it is cancelled. Otherwise its worker was asked to end it. */
  async cancel(caller: WorkspaceCaller, id: string): Promise<{ run: RunDto; finished: boolean }> {
    const before = await this.cancelVisible(caller, await this.visible(caller, id));
    if (!before) throw new Conflict('The run is finished; there is nothing to cancel.');
    return { run: await this.get(caller, id), finished: CANCELLATION[before] === 'at_once' };
  }

  /** A run that the caller may see. Returns the phase that it was in; null: it is finished already. */
  cancelVisible(
    caller: WorkspaceCaller,
    { id, approvalRequestId }: Pick<Run, 'id' | 'approvalRequestId'>,
  ): Promise<RunPhase | null> {
    return this.database.transaction(async () => {
      if (approvalRequestId !== null) await this.approvals.expire([approvalRequestId], caller);
      const phase = await this.runs.cancel(id);
      if (phase) await this.audit.record(caller.workspace.id, caller, 'run.cancelled', { type: 'run', id });
      return phase;
    });
  }

  /** @throws NotFound where there is none that the caller may see */
  async visible(caller: WorkspaceCaller, id: string): Promise<SingleRunRow> {
    const row = await this.runs.find(id, caller);
    if (!row) throw new NotFound('run');
    return row;
  }

  async present(row: SingleRunRow): Promise<RunDto> {
    const files = row.hasFiles ? await this.files.filesOf([row.id]) : [];
    return presentSingleRun(row, files, await this.logs.factsOf(row));
  }
}

function whyNotMoved({ phase, debounceKey, approvalRequestId }: SingleRunRow): string {
  if (phase === 'held' || approvalRequestId !== null)
    return 'Its time is part of what is approved. Cancel the run, and start another one.';
  if (debounceKey !== null) return 'The run waits for further starts, each of which moves it.';
  return 'The run does not wait for its time to start.';
}

/** A credential of one environment names no other. */
function assertWithin({ bound, environment }: WorkspaceCaller, filters: RunFilters): void {
  if (bound && filters.environment !== undefined && filters.environment !== environment.name) {
    throw new Forbidden(`This credential is bound to the environment ${environment.name}.`);
  }
}
