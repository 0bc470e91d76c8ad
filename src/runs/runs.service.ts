import { Injectable, type OnModuleInit } from '@nestjs/common';

import { ApprovalsService, askerOf } from '../approvals/index.js';
import { AuditTrail } from '../audit/index.js';
import type { WorkspaceCaller } from '../core/access/caller.js';
import { Settings } from '../core/config/settings.js';
import { newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import { type Page, keysetPage } from '../core/database/page.js';
import { Conflict, Forbidden, NotFound } from '../core/errors/problems.js';
import { RawJson } from '../core/json/raw-json.js';
import { IdempotencyService } from '../core/idempotency/idempotency.service.js';
import { ResourceResponses } from '../core/idempotency/resource-responses.js';
import { RunFilesService } from '../files/index.js';
import { type CheckedInputs, SchemaChecks } from '../core/schema/schema-checks.js';
import { type RunnableScript, ScriptCatalogService, type VersionFacts } from '../scripts/index.js';
import type { HeldRunDto, RunDto, RunInput, RunListQuery } from './run.dto.js';
import { UsageService } from '../usage/index.js';
import { approvalOf } from './run-approval.js';
import { CREDENTIAL_TYPES, type Hold, holdOf } from './run.policy.js';
import { type SingleRunRow, presentHeldRun, presentRun, presentSingleRun } from './run.presenter.js';
import { CANCELLATION, type RunInterface } from './run.status.js';
import { RUNS_QUEUE } from '../core/queue/queues.js';
import { Waker } from '../core/work/waker.js';
import { type Watch, Watches } from '../core/work/watch.js';
import { RUN_TOPIC } from './run.topics.js';
import { type NewRun, RunsRepository } from './runs.repository.js';

/** A short run is waited for this much longer than its time-out, for the queue and the preparations. */
const PATIENCE_MS = 10_000;
export const SHORT_RUN_SECONDS = 30;

export interface StartedRun {
  run: HeldRunDto;
  /** False: the answer is 202, the run goes on. */
  finished: boolean;
}

@Injectable()
export class RunsService implements OnModuleInit {
  constructor(
    private readonly runs: RunsRepository,
    private readonly approvals: ApprovalsService,
    private readonly catalog: ScriptCatalogService,
    private readonly files: RunFilesService,
    private readonly database: Database,
    private readonly audit: AuditTrail,
    private readonly idempotency: IdempotencyService,
    private readonly answers: ResourceResponses,
    private readonly waker: Waker,
    private readonly watches: Watches,
    private readonly usage: UsageService,
    private readonly settings: Settings,
    private readonly checks: SchemaChecks,
  ) {}

  onModuleInit(): void {
    this.answers.register('run', (id, caller) => this.answerTo(id, caller));
  }

  start(caller: WorkspaceCaller, slug: string, input: RunInput): Promise<StartedRun> {
    return this.startVersion(caller, { slug, version: null, test: false }, input.inputs ?? {}, input.via);
  }

  /** Tries out a version, whether it is published or not. */
  test(caller: WorkspaceCaller, slug: string, version: number, input: RunInput): Promise<StartedRun> {
    return this.startVersion(caller, { slug, version, test: true }, input.inputs ?? {}, input.via);
  }

  /** The same version with the same inputs; whether it may run is judged anew. */
  async rerun(caller: WorkspaceCaller, id: string): Promise<StartedRun> {
    await this.visible(caller, id);
    const origin = await this.runs.origin(id);
    if (!origin) throw new NotFound('run');
    const { scriptSlug: slug, version, inputs, test } = origin;
    return this.startVersion(caller, { slug, version, test, again: id }, new RawJson(inputs), undefined);
  }

  async get(caller: WorkspaceCaller, id: string): Promise<RunDto> {
    return this.present(await this.visible(caller, id));
  }

  list(caller: WorkspaceCaller, query: RunListQuery): Promise<Page<RunDto>> {
    const { limit, cursor, ...filters } = query;
    const { bound, environment } = caller;
    if (bound && filters.environment !== undefined && filters.environment !== environment.name) {
      throw new Forbidden(`This API key is bound to the environment ${environment.name}.`);
    }
    const seenBy = [caller.workspace.id, caller.role, caller.person?.id, bound ? environment.id : null];
    return keysetPage(
      { limit, cursor },
      { list: 'runs', filters: [seenBy, filters] },
      (after, count) => this.runs.list(caller, filters, after, count),
      presentRun,
    );
  }

  /** Finished: it is cancelled. Otherwise its worker was asked to end it. */
  async cancel(caller: WorkspaceCaller, id: string): Promise<{ run: RunDto; finished: boolean }> {
    const { approvalRequestId } = await this.visible(caller, id);
    const before = await this.database.transaction(async () => {
      if (approvalRequestId !== null) await this.approvals.expire([approvalRequestId], caller);
      const phase = await this.runs.cancel(id);
      if (phase) await this.audit.record(caller.workspace.id, caller, 'run.cancelled', { type: 'run', id });
      return phase;
    });
    if (!before) throw new Conflict('The run is finished; there is nothing to cancel.');
    return { run: await this.get(caller, id), finished: CANCELLATION[before] === 'at_once' };
  }

  async visible(caller: WorkspaceCaller, id: string): Promise<SingleRunRow> {
    const row = await this.runs.find(id, caller);
    if (!row) throw new NotFound('run');
    return row;
  }

  private async startVersion(
    caller: WorkspaceCaller,
    what: RunTarget,
    inputs: Record<string, unknown> | RawJson,
    via: RunInput['via'],
  ): Promise<StartedRun> {
    const { workspace } = caller;
    const script = await this.admissible(caller, what);
    const { inputSchema: schema, command } = script;
    const checked = await this.checks.inputs({ schema, command, inputs, workspaceId: workspace.id });
    const fileFields =
      what.again === undefined
        ? checked.fileFields
        : await this.files.ownRecords(what.again, checked.fileFields);
    const id = newId('run');
    const watch = this.watches.open(RUN_TOPIC, id);
    try {
      const held = await this.insert(caller, script, {
        id,
        inputs: checked.inputs,
        fileFields,
        test: what.test,
        via,
      });
      this.waker.wake(RUNS_QUEUE);
      return await this.outcome(caller, id, watch, held ? 0 : patienceFor(script.timeoutSeconds));
    } finally {
      watch.close();
    }
  }

  /** The script and version, if this caller may run it here at all. */
  private async admissible(
    caller: WorkspaceCaller,
    { slug, version, test }: RunTarget,
  ): Promise<RunnableVersion> {
    const script = await this.catalog.findRunnable({
      workspaceId: caller.workspace.id,
      slug,
      version,
      role: caller.role,
      userId: caller.person?.id ?? null,
    });
    if (!script) throw new NotFound('script');
    if (script.status === 'archived')
      throw new Conflict(`The script ${slug} is archived. Restore it to run it.`);
    if (!test && script.status === 'draft') {
      throw new Conflict(
        `The script ${slug} has no published version. Publish one, or test a version of it.`,
      );
    }
    if (script.versionId === null) throw new NotFound('version');
    if (caller.kind === 'agent' && !caller.environment.agentsAllowed) {
      throw new Forbidden(`Agents may not run scripts in the environment ${caller.environment.name}.`);
    }
    return script;
  }

  private async insert(
    caller: WorkspaceCaller,
    script: RunnableVersion,
    wanted: WantedRun,
  ): Promise<boolean> {
    const byAgent = caller.kind === 'agent';
    const hold = holdOf({
      scriptPolicy: script.approvalPolicy,
      environmentPolicy: caller.environment.approvalPolicy,
      byAgent,
      unseenTest: wanted.test && script.publishNeedsSecondPerson && script.publishedAt === null,
    });
    const run: NewRun = {
      id: wanted.id,
      workspaceId: caller.workspace.id,
      environmentId: caller.environment.id,
      scriptId: script.scriptId,
      scriptSlug: script.slug,
      versionId: script.versionId,
      version: script.versionNumber,
      approvalRequestId: hold === null ? null : newId('approval'),
      inputs: wanted.inputs,
      startedByUserId: caller.person?.id ?? null,
      credentialId: caller.credentialId,
      credentialType: CREDENTIAL_TYPES[caller.kind],
      credentialName: caller.credentialName,
      byAgent,
      interface: interfaceOf(caller, wanted.via),
      test: wanted.test,
    };
    if (hold === null && wanted.fileFields.length === 0 && !this.idempotency.inUse) {
      await this.write(run, caller);
      return false;
    }
    await this.database.transaction(async () => {
      await this.write(run, caller);
      await this.files.claimInputs(run.id, wanted.fileFields, caller);
      if (hold !== null) await this.ask(run, script, hold, caller);
      await this.idempotency.commit('run', run.id);
    });
    return hold !== null;
  }

  private async write(run: NewRun, caller: WorkspaceCaller): Promise<void> {
    if (await this.runs.insert(run, caller, this.usage.runLimits())) return;
    throw await this.usage.runRefusal(run.workspaceId);
  }

  private async ask(
    run: NewRun,
    { name, ownerUserId, hosts }: RunnableVersion,
    hold: Hold,
    caller: WorkspaceCaller,
  ): Promise<void> {
    const held = {
      ...run,
      approvalRequestId: run.approvalRequestId!,
      environment: caller.environment.name,
      script: { id: run.scriptId, slug: run.scriptSlug, name, ownerUserId },
      hosts,
      hold,
    };
    await this.approvals.file(approvalOf(held, askerOf(caller)));
  }

  /** Waits for the end; looks once more when the time is up. */
  private async outcome(
    caller: WorkspaceCaller,
    id: string,
    watch: Watch,
    patienceMs: number,
  ): Promise<StartedRun> {
    const deadline = Date.now() + patienceMs;
    if (patienceMs > 0) await watch.next(patienceMs);
    const run = await watch.until(
      () => this.get(caller, id),
      ({ phase }) => (phase === 'finished' ? 0 : deadline - Date.now()),
    );
    return { run: presentHeldRun(run, this.settings.baseUrl), finished: run.phase === 'finished' };
  }

  /** What a retry gets that names the same IdempotencyService-Key: the run, once the first request would have got it. */
  private async answerTo(
    id: string,
    caller: WorkspaceCaller,
  ): Promise<{ status: number; body: unknown } | null> {
    const row = await this.runs.find(id, caller);
    if (!row) return null;
    const goingOn = row.phase !== 'finished' && row.phase !== 'held';
    const patienceMs = goingOn ? patienceFor(await this.runs.timeoutSeconds(id)) : 0;
    if (Date.now() < row.startedAt.getTime() + patienceMs) return null;
    const body = presentHeldRun(await this.present(row), this.settings.baseUrl);
    return { status: row.phase === 'finished' ? 200 : 202, body };
  }

  private async present(row: SingleRunRow): Promise<RunDto> {
    const files = row.hasFiles ? await this.files.filesOf([row.id]) : [];
    return presentSingleRun(row, files);
  }
}

type RunnableVersion = RunnableScript & VersionFacts;

/** How long a start waits for the end: not at all for a long run. */
function patienceFor(timeoutSeconds: number): number {
  return timeoutSeconds <= SHORT_RUN_SECONDS ? timeoutSeconds * 1000 + PATIENCE_MS : 0;
}

interface RunTarget {
  slug: string;
  /** null: the published one. */
  version: number | null;
  test: boolean;
  /** The run whose inputs are taken once more, files included. */
  again?: string;
}

interface WantedRun extends CheckedInputs {
  id: string;
  test: boolean;
  via: RunInput['via'];
}

function interfaceOf(caller: WorkspaceCaller, via: RunInput['via']): RunInterface {
  if (caller.kind === 'session') return 'app';
  if (caller.kind === 'agent') return 'mcp';
  return via ?? 'api';
}
