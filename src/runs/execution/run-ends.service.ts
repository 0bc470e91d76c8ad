import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import type { BoxedProcess } from '../../../libs/sandbox/index.js';
import { Database, isDatabaseAway, Notifications } from '../../core/database/index.js';
import { QuotaExceeded } from '../../core/errors/index.js';
import { StorageUnavailable } from '../../core/storage/index.js';
import { untilWritten } from '../../core/work/index.js';
import { type AttemptReason, delayAfter, isTriedAgain } from '../../scripts/index.js';
import {
  type NewLogPart,
  type NewOutputFile,
  RunFilesService,
  RunLogPartsService,
} from '../../files/index.js';
import { RunAttemptsRepository } from '../attempts/run-attempts.repository.js';
import type { NumberedRequest } from '../plans/plan-recorder.js';
import { PlannedRequestsRepository } from '../plans/planned-requests.repository.js';
import type { LogPart } from '../output/whole-log.js';
import type { SingleRunRow } from '../run-columns.js';
import { RUN_TOPIC } from '../run.topics.js';
import { type ClaimedRun, logFieldsOf } from './claimed-run.js';
import { collectOutputs } from './collect-outputs.js';
import type { EndedRun, RunEnd } from './run-end.js';
import { RunExecutionRepository } from './run-execution.repository.js';

/** How often lines are offered to a file store that is away for a moment. */
const MOST_TRIES = 3;
const RETRY_MS = 500;

/** Writes what runs leave: how they ended, the files that they made, and of long logs the lines that the database does not keep. */
@Injectable()
export class RunEndsService {
  private readonly logger = new Logger('Runs');

  constructor(
    private readonly runs: RunExecutionRepository,
    private readonly attempts: RunAttemptsRepository,
    private readonly files: RunFilesService,
    private readonly logs: RunLogPartsService,
    private readonly planned: PlannedRequestsRepository,
    private readonly database: Database,
    private readonly notifications: Notifications,
  ) {}

  /** Stores what a run left in /outputs. @throws RunFailure where that is too much */
  collect(box: BoxedProcess, run: ClaimedRun): Promise<NewOutputFile[]> {
    return collectOutputs(box, run, this.files);
  }

  /** Stores lines of a log. Where that fails they are missing, and the run goes on. False: further ones could not be stored either. */
  async storeLog(run: ClaimedRun, { firstLine, text, ...part }: LogPart): Promise<boolean> {
    const { id: runId, workspaceId } = run;
    const added = { ...part, runId, workspaceId, firstLine: run.firstLine + firstLine };
    for (let tried = 1; ; tried++) {
      try {
        return await untilWritten(() => this.addToLog(run, added, text), isDatabaseAway);
      } catch (error) {
        if (!(error instanceof StorageUnavailable && error.passing) || tried === MOST_TRIES) {
          this.logger.warn(`Lines of a log could not be stored: ${String(error)}`, logFieldsOf(run));
          return !(error instanceof QuotaExceeded);
        }
      }
      await sleep(RETRY_MS * tried);
    }
  }

  /** Adds to what a plan would have sent. `count`: how many there have been, those included that are not listed. */
  async addPlanned(run: ClaimedRun, count: number, requests: readonly NumberedRequest[]): Promise<void> {
    const rows = requests.map((request) => ({ ...request, runId: run.id }));
    try {
      await untilWritten(() => this.planned.add(run, count, rows), isDatabaseAway);
    } catch (error) {
      this.logger.warn(`What a plan would have sent could not be listed: ${String(error)}`, logFieldsOf(run));
      throw error;
    }
  }

  /**
   * Tried until the database can be reached: a run whose end is not written would count as lost. Where another attempt
   * follows, that is written instead, and the files are dropped.
   *
   * @param reason why the attempt did not end well; null: it is not tried again
   */
  async write(
    run: ClaimedRun,
    end: RunEnd,
    outputs: readonly NewOutputFile[],
    reason: AttemptReason | null,
  ): Promise<void> {
    try {
      if (isTriedAgain(run.retry, run.attempt, reason)) {
        const retried = await untilWritten(
          () => this.runs.retry(run, end, delayAfter(run.attempt, run.retry!)),
          (error) => this.mayWriteAgain(error, run),
        );
        if (retried) return await this.files.discardOutputs(outputs);
      }
      await untilWritten(
        () => this.finish(run, end, outputs),
        (error) => this.mayWriteAgain(error, run),
      );
    } catch (error) {
      await this.files.discardOutputs(outputs);
      await this.finish(run, { ...end, outcome: 'failed', output: null, error: reasonOf(error) }, []);
    }
  }

  /** Where it fails, it is not known whether the lines were added: the pruner of files looks. */
  private async addToLog(run: ClaimedRun, added: NewLogPart, text: readonly Buffer[]): Promise<boolean> {
    const part = await this.logs.write(added, text);
    const isOurs = await this.database.transaction(async () => {
      if (!(await this.runs.reach(run, part.firstLine + part.lines))) return false;
      await this.logs.insert(part);
      return true;
    });
    if (!isOurs) await this.logs.discard(part);
    return isOurs;
  }

  private mayWriteAgain(error: unknown, run: ClaimedRun): boolean {
    if (error instanceof QuotaExceeded) return false;
    this.logger.warn(`The end of a run could not be written: ${String(error)}`, logFieldsOf(run));
    return isDatabaseAway(error);
  }

  /** Nothing is written where the run is not ours any more. */
  private async finish(run: ClaimedRun, end: RunEnd, outputs: readonly NewOutputFile[]): Promise<void> {
    const ended = await (outputs.length === 0
      ? this.runs.finish(run, end)
      : this.finishWith(run, end, outputs));
    if (!ended) return this.files.discardOutputs(outputs);
    const hasFiles = run.hasFiles || outputs.length > 0;
    // The end is written: where this cannot be read, the database's own notification is enough.
    const earlier = await this.attempts.of(ended).catch(() => null);
    if (earlier) {
      const row = { ...rowOf(run, end, ended, hasFiles), earlier };
      this.notifications.tellHere(RUN_TOPIC, run.id, row);
    }
    this.log(run, end);
  }

  private finishWith(
    run: ClaimedRun,
    end: RunEnd,
    outputs: readonly NewOutputFile[],
  ): Promise<EndedRun | null> {
    return this.database.transaction(async () => {
      const ended = await this.runs.finish(run, end);
      if (ended) await this.files.insertOutputs(outputs);
      return ended;
    });
  }

  private log(run: ClaimedRun, { outcome, durationMs }: RunEnd): void {
    this.logger.log(`A run has ${outcome === 'cancelled' ? 'been cancelled' : outcome}.`, {
      ...logFieldsOf(run),
      ...(durationMs !== null && { ms: durationMs }),
    });
  }
}

/** Why its result cannot be stored, so that the run fails. */
function reasonOf(error: unknown): string {
  if (!(error instanceof QuotaExceeded)) return 'its result could not be stored';
  return `its files in /outputs could not be kept: ${error.message}`;
}

/** The row as it would be read. */
function rowOf(
  run: ClaimedRun,
  end: RunEnd,
  ended: EndedRun,
  hasFiles: boolean,
): Omit<SingleRunRow, 'earlier'> {
  return {
    ...ended,
    environment: run.environmentName,
    waitingApprovalIds: [],
    inputs: run.inputs,
    // Cancelled meanwhile, it has none.
    output: ended.status === end.outcome ? end.output : null,
    network: end.network,
    hasFiles,
    queuedBehind: null,
    waitsBecause: null,
    askedMemory: null,
  };
}
