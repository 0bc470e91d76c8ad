import { Injectable, Logger } from '@nestjs/common';

import type { BoxedProcess } from '../../../libs/sandbox/index.js';
import { Database, isDatabaseAway, Notifications } from '../../core/database/index.js';
import { QuotaExceeded } from '../../core/errors/index.js';
import { type NewOutputFile, RunFilesService } from '../../files/index.js';
import type { SingleRunRow } from '../run-columns.js';
import { RUN_TOPIC } from '../run.topics.js';
import { type ClaimedRun, logFieldsOf } from './claimed-run.js';
import { collectOutputs } from './collect-outputs.js';
import { failed } from './judge-exit.js';
import { type EndedRun, type RunEnd, RunExecutionRepository } from './run-execution.repository.js';

const RETRY_MS = 500;

/** Writes how runs ended, together with the files that they made, and tells who waits for that in this process. */
@Injectable()
export class RunEndsService {
  private readonly logger = new Logger('Runs');

  constructor(
    private readonly runs: RunExecutionRepository,
    private readonly files: RunFilesService,
    private readonly database: Database,
    private readonly notifications: Notifications,
  ) {}

  /** Stores what a run left in /outputs. @throws RunFailure where that is too much */
  collect(box: BoxedProcess, run: ClaimedRun): Promise<NewOutputFile[]> {
    return collectOutputs(box, run, this.files);
  }

  /** Tried until the database can be reached: a run whose end is not written would count as lost. */
  async write(run: ClaimedRun, end: RunEnd, outputs: readonly NewOutputFile[]): Promise<void> {
    for (;;) {
      try {
        if (await this.finish(run, end, outputs)) return this.log(run, end);
        return await this.files.discardOutputs(outputs);
      } catch (error) {
        if (error instanceof QuotaExceeded) {
          const reason = `its files in /outputs could not be kept: ${error.message}`;
          return this.finishWithoutOutput(run, end, outputs, reason);
        }
        this.logger.warn(`The end of a run could not be written: ${String(error)}`, logFieldsOf(run));
        if (isDatabaseAway(error)) await new Promise((done) => setTimeout(done, RETRY_MS));
        else return this.finishWithoutOutput(run, end, outputs, 'its result could not be stored');
      }
    }
  }

  /** False: the run is not ours any more, and nothing is written. */
  private async finish(run: ClaimedRun, end: RunEnd, outputs: readonly NewOutputFile[]): Promise<boolean> {
    const ended = await (outputs.length === 0
      ? this.runs.finish(run, end)
      : this.finishWith(run, end, outputs));
    if (!ended) return false;
    const hasFiles = run.hasFiles || outputs.length > 0;
    this.notifications.tellHere(RUN_TOPIC, run.id, rowOf(run, end, ended, hasFiles));
    return true;
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

  /** The result cannot be stored, so the run fails with the reason. */
  private async finishWithoutOutput(
    run: ClaimedRun,
    end: RunEnd,
    outputs: readonly NewOutputFile[],
    reason: string,
  ): Promise<void> {
    await this.files.discardOutputs(outputs);
    const failure = { ...end, ...failed(reason) };
    if (await this.finish(run, failure, [])) this.log(run, failure);
  }

  private log(run: ClaimedRun, { outcome, durationMs }: RunEnd): void {
    this.logger.log(`A run has ${outcome === 'cancelled' ? 'been cancelled' : outcome}.`, {
      ...logFieldsOf(run),
      ...(durationMs !== null && { ms: durationMs }),
    });
  }
}

/** The row as it would be read. */
function rowOf(run: ClaimedRun, end: RunEnd, ended: EndedRun, hasFiles: boolean): SingleRunRow {
  return {
    ...ended,
    environment: run.environmentName,
    inputs: run.inputs,
    // Cancelled meanwhile, it has none.
    output: ended.status === end.outcome ? end.output : null,
    network: end.network,
    hasFiles,
    queuedBehind: null,
  };
}
