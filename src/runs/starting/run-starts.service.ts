import { Injectable } from '@nestjs/common';

import { isAgent, type WorkspaceCaller } from '../../core/access/index.js';
import { newId } from '../../core/crypto/index.js';
import { DiskRoom } from '../../core/disk/index.js';
import { Conflict, Forbidden, InvalidRequest, NotFound } from '../../core/errors/index.js';
import { RawJson } from '../../core/json/index.js';
import { PATIENCE, SchemaChecks } from '../../core/schema/index.js';
import { RunFilesService } from '../../files/index.js';
import {
  type AskRule,
  asksOf,
  parseLabels,
  parseRetry,
  type Retry,
  ScriptCatalogService,
  viewerOf,
} from '../../scripts/index.js';
import { type CauseColumns, NO_CAUSE } from '../run.cause.js';
import { assertOutlastsWait } from '../debounce/debounce.rules.js';
import type { HeldRunDto } from '../run.dto.js';
import type { RunInput } from '../run-input.dto.js';
import { isTrial } from '../run.version.js';
import { RunsRepository } from '../runs.repository.js';
import { RunsService } from '../runs.service.js';
import { type RunTurn, turnOf } from '../turns/run-turn.rules.js';
import type { AlsoRecorded } from './new-runs.repository.js';
import { RunCreationService, type RunnableVersion, type WantedRun } from './run-creation.service.js';
import { RunOutcomesService, type RunWait, type StartedRun } from './run-outcomes.service.js';

interface RunTarget {
  slug: string;
  /** null: the published one. An id: this trial. */
  version: number | string | null;
  test: boolean;
  /** The run whose inputs are taken once more, files included. */
  again?: string;
  also?: AlsoRecorded;
}

/** A run that may be written. */
export interface PreparedRun {
  script: RunnableVersion;
  wanted: WantedRun;
}

/** Starts runs that callers ask for, if they may. */
@Injectable()
export class RunStartsService {
  constructor(
    private readonly runs: RunsService,
    private readonly repository: RunsRepository,
    private readonly catalog: ScriptCatalogService,
    private readonly checks: SchemaChecks,
    private readonly files: RunFilesService,
    private readonly creation: RunCreationService,
    private readonly outcomes: RunOutcomesService,
    private readonly disk: DiskRoom,
  ) {}

  start(caller: WorkspaceCaller, slug: string, input: RunInput, wait?: RunWait): Promise<StartedRun> {
    return this.startVersion(caller, { slug, version: null, test: false }, input, wait);
  }

  /** Tries out a version, whether it is published or not. */
  test(caller: WorkspaceCaller, slug: string, version: number, input: RunInput): Promise<StartedRun> {
    return this.startVersion(caller, { slug, version, test: true }, input);
  }

  /** Starts it with inputs of before, which the audit log says in the run's own commit. A version that is named is tested. */
  replay(
    caller: WorkspaceCaller,
    { slug, version, also }: { slug: string; version: number | undefined; also: AlsoRecorded },
    input: RunInput,
  ): Promise<StartedRun> {
    const target = { slug, version: version ?? null, test: version !== undefined, also };
    return this.startVersion(caller, target, input);
  }

  /** Whoever tries something out wants to see its first line, so its end is not waited for. */
  async testTrial(caller: WorkspaceCaller, slug: string, id: string, input: RunInput): Promise<HeldRunDto> {
    const target = { slug, version: id, test: true };
    return (await this.startVersion(caller, target, input, { atOnce: true })).run;
  }

  /** The same version with the same inputs; whether it may run is judged anew. */
  async rerun(caller: WorkspaceCaller, id: string): Promise<StartedRun> {
    await this.runs.visible(caller, id);
    return this.startVersion(caller, ...(await this.again(id)));
  }

  /** Such a run of one that the caller may see, checked and not yet written. */
  async prepareRerun(caller: WorkspaceCaller, id: string): Promise<PreparedRun> {
    return this.prepare(caller, ...(await this.again(id)));
  }

  private async again(id: string): Promise<[RunTarget, RunInput]> {
    const origin = await this.repository.origin(id);
    if (!origin) throw new NotFound('run');
    const { scriptSlug: slug, versionId, inputs, test, plan, labels } = origin;
    const version = isTrial(origin) ? versionId : origin.version;
    return [
      { slug, version, test, again: id },
      { inputs: new RawJson(inputs), labels, plan },
    ];
  }

  private async startVersion(
    caller: WorkspaceCaller,
    target: RunTarget,
    input: RunInput,
    wait?: RunWait,
  ): Promise<StartedRun> {
    const { script, wanted } = await this.prepare(caller, target, input);
    const watch = this.outcomes.watch(wanted.id, wait);
    try {
      const created = await this.creation.create(caller, script, wanted);
      const started = { ...created, timeoutSeconds: script.timeoutSeconds };
      return await this.outcomes.ofStarted(caller, started, watch, wait);
    } finally {
      watch.close();
    }
  }

  private async prepare(
    caller: WorkspaceCaller,
    target: RunTarget,
    { inputs = {}, via, retry: givenRetry, labels: givenLabels, plan = false, ...times }: RunInput,
  ): Promise<PreparedRun> {
    const script = await this.runnable(caller, target);
    const { inputSchema: schema, command } = script;
    const retry = retryOfStart(givenRetry, script.idempotent, plan);
    const labels = target.again === undefined ? parseLabels(givenLabels, script.labels) : (givenLabels ?? {});
    const turn = turnOfStart(script, target, { ...times, plan });
    const checked = await this.checks.inputs({ schema, command, inputs, workspaceId: caller.workspace.id });
    const fileFields =
      target.again === undefined
        ? checked.fileFields
        : await this.files.ownRecords(target.again, checked.fileFields);
    const id = newId('run');
    const asked = await this.askedBy(caller, script, checked.inputs);
    const { test, also = null } = target;
    const cause = causeOf(caller, target);
    const { inputs: fitting } = checked;
    const how = { test, plan, asked, via, retry, turn, labels, also, cause };
    return { script, wanted: { id, inputs: fitting, fileFields, ...how } };
  }

  /** The script's rule that asks about these inputs, or null. */
  async askedBy(caller: WorkspaceCaller, { ask }: RunnableVersion, inputs: RawJson): Promise<AskRule | null> {
    if (!asksOf(ask, isAgent(caller))) return null;
    const onBehalf = { workspaceId: caller.workspace.id, patience: PATIENCE.request };
    return (await this.checks.matches(ask.when, inputs, onBehalf)) ? ask : null;
  }

  /** The script and version, if this caller may run it here at all. */
  async runnable(caller: WorkspaceCaller, { slug, version, test }: RunTarget): Promise<RunnableVersion> {
    this.disk.assertEnough();
    const script = await this.catalog.findRunnable({
      ...viewerOf(caller),
      slug,
      version,
    });
    if (!script) throw new NotFound('script');
    if (script.status === 'archived') {
      throw new Conflict(`The script ${slug} is archived. Restore it to run it.`);
    }
    if (!test && script.status === 'draft') {
      throw new Conflict(
        `The script ${slug} has no published version. Publish one, or test a version of it.`,
      );
    }
    if (script.versionId === null) {
      throw new NotFound(typeof version === 'string' ? 'trial; it may have expired' : 'version');
    }
    if (isAgent(caller) && !caller.environment.agentsAllowed) {
      throw new Forbidden(`Agents may not run scripts in the environment ${caller.environment.name}.`);
    }
    return script;
  }
}

/** A plan is never tried again. */
function retryOfStart(given: RunInput['retry'], idempotent: boolean, plan: boolean): Retry | null {
  if (!plan) return retryOf(given, idempotent);
  if (given) throw InvalidRequest.at('retry', 'must be left out of a plan, which is never tried again');
  return retryOf(null, idempotent);
}

/**
 * Who tries something out, runs a certain run again, or names a moment, wants a run of their own. A plan is before no run, and
 * takes the place of none.
 */
function turnOfStart(
  { queue, concurrency, debounce: ofVersion }: RunnableVersion,
  { test, again }: RunTarget,
  { plan, ...times }: Pick<RunInput, 'startAt' | 'expiresAt' | 'priority' | 'plan'>,
): RunTurn {
  const now = new Date();
  const turn = turnOf(times, now);
  if (plan) return { ...turn, queue: null, concurrency: null, debounce: null };
  const debounce = test || again !== undefined || turn.startAt !== null ? null : ofVersion;
  assertOutlastsWait(debounce, turn, now);
  return { ...turn, queue, concurrency, debounce };
}

/** What is before the start that somebody asks for. */
function causeOf({ agent }: WorkspaceCaller, { again }: RunTarget): CauseColumns {
  if (again !== undefined) return { causeType: 'rerun', causeId: again };
  const conversation = agent?.conversationId ?? null;
  return conversation === null ? NO_CAUSE : { causeType: 'conversation', causeId: conversation };
}

/** What a start says instead of its version; null: it says nothing. */
export function retryOf(given: RunInput['retry'], idempotent: boolean): Retry | null {
  return parseRetry(given === null ? { attempts: 1 } : given, idempotent);
}
