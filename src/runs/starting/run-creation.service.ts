import { Injectable } from '@nestjs/common';

import { ApprovalsService, askerOf } from '../../approvals/index.js';
import { isAgent, type WorkspaceCaller } from '../../core/access/index.js';
import { newId } from '../../core/crypto/index.js';
import { FairSemaphore } from '../../core/semaphore/index.js';
import { Database } from '../../core/database/index.js';
import { IdempotencyService } from '../../core/idempotency/index.js';
import type { CheckedInputs } from '../../core/schema/index.js';
import { WorkspaceOwners } from '../../core/work/index.js';
import { RunFilesService } from '../../files/index.js';
import type { AskRule, Labels, Retry, RunnableScript, VersionFacts } from '../../scripts/index.js';
import { UsageService } from '../../usage/index.js';
import { type RunPlace, RunPlaces } from '../execution/run-places.js';
import type { CauseColumns } from '../run.cause.js';
import type { RunInput } from '../run-input.dto.js';
import type { RunInterface } from '../run.status.js';
import { TRIAL_VERSION } from '../run.version.js';
import { firstPhase, type RunTurn } from '../turns/run-turn.rules.js';
import { type AlsoRecorded, type NewRun, NewRunsRepository, type WrittenRun } from './new-runs.repository.js';
import { approvalOf } from './run-approval.js';
import { CREDENTIAL_TYPES, type Hold, holdOf } from './run.policy.js';

export type RunnableVersion = RunnableScript & VersionFacts;

export interface WantedRun extends CheckedInputs {
  id: string;
  test: boolean;
  plan: boolean;
  /** The script's rule that holds it because of its inputs, or null. */
  asked: AskRule | null;
  via: RunInput['via'];
  /** null: as the version says. */
  retry: Retry | null;
  turn: RunTurn;
  /** Those that the start gives. */
  labels: Labels;
  also: AlsoRecorded | null;
  cause: CauseColumns;
}

/** The run that a start has made, or that it takes part in. */
export interface CreatedRun {
  id: string;
  /** It does not begin at once: it waits for a person, its time, further starts, or a worker that is not there. */
  isLater: boolean;
  /** It is skipped at once where no place is free. */
  maySkip: boolean;
}

interface Wish {
  caller: WorkspaceCaller;
  script: RunnableVersion;
  wanted: WantedRun;
  run: NewRun;
  hold: Hold | null;
}

/** Writes a run that a caller may start, and all that goes with it: its files, and the approval that it waits for. */
@Injectable()
export class RunCreationService {
  /** Starts of one key wait for each other in the database, each with a connection: most are left to others. */
  private readonly debounced = new FairSemaphore({ permits: 2 });

  constructor(
    private readonly runs: NewRunsRepository,
    private readonly usage: UsageService,
    private readonly files: RunFilesService,
    private readonly approvals: ApprovalsService,
    private readonly idempotency: IdempotencyService,
    private readonly places: RunPlaces,
    private readonly owners: WorkspaceOwners,
    private readonly database: Database,
  ) {}

  /** @throws QuotaExceeded where the workspace's plan does not allow one more, or one that uses as much */
  async create(caller: WorkspaceCaller, script: RunnableVersion, wanted: WantedRun): Promise<CreatedRun> {
    this.usage.assertRunFits(script.plan, script);
    const hold = holdOfStart(caller, script, wanted);
    const run = runOf(caller, script, wanted, hold);
    const write = (): Promise<CreatedRun> => this.write({ caller, script, wanted, run, hold });
    if (run.debounce === null) return write();
    return this.debounced.run(await this.owners.of(run.workspaceId), write);
  }

  private async write({ caller, script, wanted, run, hold }: Wish): Promise<CreatedRun> {
    // What waits for a person, its time, further starts, its turn or others that are written with it, or has files, cannot begin as it
    // is written.
    const isQueued = run.debounce === null && firstPhase(run) === 'queued';
    const waits = hold !== null || !isQueued || this.database.inTransaction;
    const mayBegin = !waits && wanted.fileFields.length === 0;
    const isCaused = this.runs.isCaused(run.workspaceId);
    const place = mayBegin ? this.places.reserve(run) : null;
    try {
      const { id, claimed, isUnplaceable } =
        // One statement is a transaction by itself, and a round trip less.
        mayBegin && !this.idempotency.inUse && !isAgent(caller) && !isCaused
          ? await this.insert(run, caller, place, wanted.also)
          : await this.database.transaction(async () => {
              const written = await this.insert(run, caller, place, wanted.also);
              await this.files.claimInputs(written.id, wanted.fileFields, caller);
              if (hold !== null) await this.askFor(run, script, hold, caller);
              await this.usage.useAgentRuns(caller);
              await this.idempotency.commit('run', written.id);
              return written;
            });
      this.places.begin(claimed);
      const isLater = hold !== null || run.startAt !== null || run.debounce !== null || isUnplaceable;
      const maySkip = run.queue === null && run.concurrency?.onLimit === 'skip';
      return { id, isLater, maySkip };
    } finally {
      this.places.release(run.id);
    }
  }

  private async insert(
    run: NewRun,
    caller: WorkspaceCaller,
    place: RunPlace | null,
    also: AlsoRecorded | null,
  ): Promise<WrittenRun> {
    const written = await this.runs.insert(run, caller, this.usage.runLimits(), place, also);
    if (!written) throw await this.usage.runRefusal(run.workspaceId);
    return written;
  }

  private async askFor(
    run: NewRun,
    { name, ownerUserId, hosts, hostRules, secrets, retry }: RunnableVersion,
    hold: Hold,
    caller: WorkspaceCaller,
  ): Promise<void> {
    const held = {
      ...run,
      approvalRequestId: run.approvalRequestId!,
      environment: caller.environment.name,
      script: { id: run.scriptId, slug: run.scriptSlug, name, ownerUserId },
      hosts,
      hostRules,
      secrets,
      retry: run.retry ?? retry,
      hold,
    };
    await this.approvals.file(approvalOf(held, askerOf(caller)));
  }
}

/** Why a person must say yes to what this caller asks for, or null. */
export function holdOfStart(
  caller: WorkspaceCaller,
  script: RunnableVersion,
  { asked, test }: Pick<WantedRun, 'asked' | 'test'>,
): Hold | null {
  return holdOf({
    scriptPolicy: script.approvalPolicy,
    environmentPolicy: caller.environment.approvalPolicy,
    byAgent: isAgent(caller),
    agentAsks: caller.agent?.asksAlways === true,
    asked,
    unseenTest: test && script.publishNeedsSecondPerson && script.publishedAt === null,
  });
}

export function runOf(
  caller: WorkspaceCaller,
  script: RunnableVersion,
  wanted: Omit<WantedRun, 'fileFields' | 'asked' | 'also'>,
  hold: Hold | null,
): NewRun {
  return {
    id: wanted.id,
    workspaceId: caller.workspace.id,
    environmentId: caller.environment.id,
    scriptId: script.scriptId,
    scriptSlug: script.slug,
    versionId: script.versionId,
    version: script.versionNumber ?? TRIAL_VERSION,
    approvalRequestId: hold === null ? null : newId('approval'),
    inputs: wanted.inputs,
    startedByUserId: caller.person?.id ?? null,
    credentialId: caller.credentialId,
    credentialType: CREDENTIAL_TYPES[caller.kind],
    credentialName: caller.credentialName,
    byAgent: isAgent(caller),
    interface: interfaceOf(caller, wanted.via),
    test: wanted.test,
    plan: wanted.plan,
    ...wanted.cause,
    retry: wanted.retry,
    labels: wanted.labels,
    labelTemplates: script.labels,
    ...wanted.turn,
    // What somebody is asked about stays as it is.
    ...(hold !== null && { debounce: null }),
  };
}

function interfaceOf(caller: WorkspaceCaller, via: RunInput['via']): RunInterface {
  if (caller.kind === 'session') return 'app';
  if (isAgent(caller)) return 'mcp';
  return via ?? 'api';
}
