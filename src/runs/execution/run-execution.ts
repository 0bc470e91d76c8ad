import type { Readable } from 'node:stream';

import { Logger } from '@nestjs/common';

import type { GateRequest, HostAuthorities, HostUsage } from '../../../libs/egress/index.js';
import type { BoxedProcess } from '../../../libs/sandbox/index.js';
import type { LimitsOfRun } from '../../core/config/index.js';
import { isDatabaseAway } from '../../core/database/index.js';
import { untilWritten, type Work, type WorkPlace } from '../../core/work/index.js';
import type { BoxGate } from '../../core/worker/index.js';
import type { NewOutputFile } from '../../files/index.js';
import { isTriedAgain } from '../../scripts/index.js';
import { excessOf } from '../../usage/index.js';
import { PlanRecorder } from '../plans/plan-recorder.js';
import { StderrRecorder } from '../output/stderr-recorder.js';
import { StdoutRecorder } from '../output/stdout-recorder.js';
import { WholeLog } from '../output/whole-log.js';
import { boxOf, memoryOf } from './box-of-run.js';
import { type ClaimedRun, logFieldsOf } from './claimed-run.js';
import { describeCrlfStart } from './crlf-start.js';
import type { ExecutionParts } from './execution-parts.js';
import { type Result, failed, judgeExit } from './judge-exit.js';
import { LiveLog } from './live-log.js';
import { CANCEL_TOPIC } from '../run.topics.js';
import { SHORT_RUN_SECONDS } from '../run.version.js';
import type { RunEnd } from './run-end.js';
import type { Renewal } from './run-execution.repository.js';
import { RunFailure, shownReason } from './run-failure.js';
import type { PreparedFolders } from './run-folder-builder.js';
import type { OpenedSecrets } from './run-secrets-resolver.js';
import type { RunTrace } from './run-trace.js';
import type { Loan } from './worker-memory.js';

/** Secrets are looked for at least this far beyond the place where a long line is cut. */
const LOOKAHEAD_BYTES = 8192;
/** Of its time, for which a script waits at most until its lines are stored. */
const HELD_UP_SHARE = 1 / 10;
/** Where no box came to its end. */
const UNUSED = { durationMs: null, cpuMs: null, peakMemoryBytes: null };

/** Carries out one run: prepares its folders, begins it, executes it in a box, writes its end. */
export class RunExecution implements Work<Renewal> {
  private readonly logger = new Logger(RunExecution.name);
  private readonly log: LiveLog;
  private box: BoxedProcess | null = null;
  private outputs: NewOutputFile[] = [];
  private network: HostUsage[] = [];
  private used: Pick<RunEnd, 'durationMs' | 'cpuMs' | 'peakMemoryBytes'> = UNUSED;
  private over = false;
  private mask = (text: string): string => text;
  /** Hands on what the script has printed while the log was behind. */
  private catchUp = (): void => undefined;
  /** What goes on while the run's end is written: nobody who waits for that should wait for this. */
  private clearing: Promise<void> = Promise.resolve();
  /** Why we end the run. null: we do not, it ends by itself. */
  private ending: 'cancelled' | 'stopped' | 'lost' | null = null;
  private readonly ended = new AbortController();

  constructor(
    readonly run: ClaimedRun,
    /** By its plan. */
    private readonly limits: LimitsOfRun,
    private readonly parts: ExecutionParts,
    private readonly trace: RunTrace,
  ) {
    this.log = new LiveLog(
      (state) => parts.runs.write(run, state),
      () => this.catchUp(),
      run.firstLine,
      run.labels,
      new WholeLog((part) => parts.ends.storeLog(run, part), {
        holdUpMs: run.timeoutSeconds * 1000 * HELD_UP_SHARE,
      }),
    );
  }

  /** Somebody has cancelled the run. The statement that writes its end sees to the status. */
  cancel(): void {
    this.end('cancelled');
    this.box?.terminate();
  }

  /** Whether it takes long, and is tried again where this worker ends it. */
  get mayMove(): boolean {
    const { timeoutSeconds, retry, attempt } = this.run;
    return timeoutSeconds > SHORT_RUN_SECONDS && isTriedAgain(retry, attempt, 'lost');
  }

  /** This worker is being stopped. */
  stop(): void {
    this.end('stopped');
    this.box?.terminate();
  }

  /** The run is not ours any more. If the command is over already, the statement that writes the end finds that out. */
  lost(): void {
    if (this.over) return;
    this.ending = 'lost';
    this.ended.abort();
    this.box?.kill();
  }

  private end(why: 'cancelled' | 'stopped'): void {
    this.ending ??= why;
    this.ended.abort();
  }

  renewed({ cancelRequested }: Renewal): void {
    if (cancelRequested) this.cancel();
  }

  carryOut(place: WorkPlace): Promise<void> {
    return this.trace.around(() => this.carryOutTraced(place));
  }

  private async carryOutTraced(place: WorkPlace): Promise<void> {
    const unsubscribe = this.parts.notifications.on(CANCEL_TOPIC, this.run.id, () => this.cancel());
    try {
      const result = await this.result(place).catch((error: unknown): Result => {
        if (this.ending !== null && isDatabaseAway(error)) return this.endedByUs();
        if (!(error instanceof RunFailure) || error.cause !== undefined) {
          this.logger.error(this.mask(describeError(error)), logFieldsOf(this.run));
        }
        const reason = this.run.gone === null ? 'failed' : null;
        return failed(this.mask(shownReason(error)), reason);
      });
      this.over = true;
      if (result !== null && this.ending !== 'lost') await this.writeEnd(result);
    } finally {
      unsubscribe();
      await this.clearing;
    }
  }

  private clearUp(work: () => Promise<void>): void {
    this.clearing = this.clearing
      .then(work)
      .catch((error: unknown) => this.logger.error(this.mask(describeError(error)), logFieldsOf(this.run)));
  }

  /** null: another worker has the run, and it was not begun here. */
  private async result(place: WorkPlace): Promise<Result | null> {
    if (this.run.gone === 'time') return this.endedByUs();
    this.checkPlace();
    this.trace.enter('prepare');
    const [secrets, hostAuthorities] = await Promise.all([
      this.untilBack(() => this.parts.secrets.open(this.run)),
      this.untilBack(() => this.parts.gates.authoritiesFor(this.run)),
    ]);
    this.mask = secrets.masker.maskLine;
    const folders = await this.parts.folders.prepare(this.run);
    let loan: Loan | null = null;
    try {
      loan = await this.parts.boxes.lend(memoryOf(this.run), this.run.workspaceId);
      if (!loan.isGiven) await this.untilGiven(loan, place);
      const begun = this.run.begun ? { cancelRequested: false } : await this.begin();
      if (!begun) return null;
      if (begun.cancelRequested || this.ending) return this.endedByUs();
      return await this.runBehindGate(folders, secrets, hostAuthorities);
    } finally {
      loan?.giveBack();
      this.clearUp(() => folders.dispose());
    }
  }

  /** Meanwhile another run may have its place. */
  private async untilGiven(loan: Loan, place: WorkPlace): Promise<void> {
    const { signal } = this.ended;
    const over = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    if (!signal.aborted) await place.whileAside(Promise.race([loan.given, over]), signal);
  }

  private begin(): Promise<{ cancelRequested: boolean } | null> {
    return this.untilBack(() => this.parts.runs.begin(this.run));
  }

  /** A run that has not begun waits until the database is back, unless something ends it meanwhile. */
  private untilBack<T>(work: () => Promise<T>): Promise<T> {
    return untilWritten(work, (error) => isDatabaseAway(error) && this.ending === null);
  }

  private async writeEnd(result: Result): Promise<void> {
    this.trace.enter('end');
    const { used, network } = this;
    const { traceparent } = this.trace;
    const { reason, ...judged } = result;
    const end: RunEnd = { ...judged, ...used, network, traceparent, ...(await this.log.close()) };
    this.trace.ended(end.outcome, network);
    await this.parts.ends.write(this.run, end, this.outputs, reason);
  }

  private async runBehindGate(
    folders: PreparedFolders,
    secrets: OpenedSecrets,
    hostAuthorities: HostAuthorities[],
  ): Promise<Result> {
    const { ends, gates } = this.parts;
    const recorder = this.run.plan
      ? new PlanRecorder(
          (count, requests) => ends.addPlanned(this.run, count, requests),
          secrets.masker.maskLine,
        )
      : null;
    const gate = gates.open(
      this.run,
      { plan: secrets.plan, hostAuthorities },
      {
        log: (line) => this.log.add(secrets.masker.maskLine(line)),
        secretUsed: (name) => this.parts.secrets.noteUse(this.run, name),
        masker: secrets.masker,
        holdClock: (held) => this.box?.holdClock(held),
        ...(recorder && { withheld: recorder.note }),
        ...(this.trace.isOn && { request: (request: GateRequest) => this.trace.requested(request) }),
      },
    );
    try {
      return await this.runInBox(folders, secrets, gate);
    } finally {
      this.network = (await gate?.close()) ?? [];
      await recorder?.close();
    }
  }

  private async runInBox(
    { app, inputs }: PreparedFolders,
    { plan, masker }: OpenedSecrets,
    gate: BoxGate | null,
  ): Promise<Result> {
    const { run } = this;
    this.trace.enter('start');
    const box = this.parts.boxes.sandbox.run({
      ...boxOf(run, this.limits, { app, inputs }, plan),
      ...(gate && { network: gate.network }),
    });
    this.box = box;
    box.started.then(() => this.trace.enter('script')).catch(() => undefined);
    try {
      const lines = {
        isBehind: () => this.log.isBehind,
        onSkipped: this.log.skip,
        transform: masker.maskLine,
        lookahead: Math.max(LOOKAHEAD_BYTES, masker.longest),
      };
      const stdout = new StdoutRecorder(this.log.add, lines);
      const { add: onLine, report: onProgress, label: onLabel, view: onView } = this.log;
      const stderr = new StderrRecorder({ onLine, onProgress, onLabel, onView }, lines);
      this.catchUp = () => {
        stderr.catchUp();
        stdout.catchUp();
      };
      this.read(box.stdout, (chunk) => stdout.push(chunk));
      this.read(box.stderr, (chunk) => stderr.push(chunk));
      const [exit] = await Promise.all([box.exited, ended(box.stdout), ended(box.stderr), gate?.attach(box)]);
      const { durationMs, cpuMs, peakMemoryBytes } = exit;
      this.used = { durationMs, cpuMs, peakMemoryBytes };
      gate?.noteRefused(exit);
      this.trace.enter('outputs');
      stderr.end();
      if (this.ending) stdout.flush();
      const result = this.ending
        ? this.endedByUs()
        : await judgeExit(exit, run, stdout, stderr, masker, this.parts.outputs, { app, inputs });
      this.outputs = await this.parts.ends.collect(box, run);
      this.clearUp(() => box.dispose());
      return result;
    } catch (error) {
      // It may still be running.
      await box.dispose();
      const crlf = error instanceof Error ? await describeCrlfStart(error.message, '', app) : null;
      throw crlf === null ? error : new RunFailure(crlf);
    }
  }

  /** As fast as its lines can be taken. */
  private read(stream: Readable, take: (chunk: Buffer) => void): void {
    stream.on('data', (chunk: Buffer) => {
      take(chunk);
      const { room } = this.log;
      if (room === null) return;
      stream.pause();
      void room.then(() => stream.resume());
    });
  }

  private endedByUs(): Result {
    if (this.ending === 'stopped') return failed('the worker was stopped', 'lost');
    return { outcome: 'cancelled', output: null, error: null, reason: null };
  }

  private checkPlace(): void {
    const { gone, environmentName } = this.run;
    if (gone === 'workspace') throw new RunFailure('the workspace was deleted');
    if (gone === 'environment') throw new RunFailure(`the environment ${environmentName} was deleted`);
    const excess = excessOf(this.run, this.limits);
    if (excess !== null) throw new RunFailure(excess);
  }
}

/** The error with its cause, for the operators' log. */
function describeError(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? ` (${String(error.cause)})` : '';
  return `${String(error)}${cause}`;
}

function ended(stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((done) => {
    stream.once('end', done);
    stream.once('close', done);
    stream.once('error', () => done());
  });
}
