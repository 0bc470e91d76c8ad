import { Logger } from '@nestjs/common';

import type { HostUsage } from '../../../libs/egress/index.js';
import type { BoxedProcess, Sandbox } from '../../../libs/sandbox/index.js';
import { isDatabaseAway } from '../../core/database/database-errors.js';
import type { Database } from '../../core/database/database.js';
import { QuotaExceeded } from '../../core/errors/problems.js';
import type { NewOutputFile, RunFiles } from '../../files/run-files.js';
import type { Outputs } from '../output/outputs.js';
import { StderrRecorder } from '../output/stderr-recorder.js';
import { StdoutRecorder } from '../output/stdout-recorder.js';
import type { ClaimedRun } from './claimed-run.js';
import { collectOutputs } from './collect-outputs.js';
import type { Gates, RunGate } from './gates.js';
import { MEMORY_LIMIT_BYTES, type Result, failed, judgeExit } from './judge-exit.js';
import { LiveLog } from './live-log.js';
import type { RunEnd, RunExecutionRepository } from './run-execution.repository.js';
import { RunFailure } from './run-failure.js';
import type { PreparedInputs, RunInputs } from './run-inputs.js';
import type { OpenedSecrets, RunSecrets } from './run-secrets.js';
import type { VersionCache } from './version-cache.js';

const RETRY_MS = 500;
/** Where installed dependencies are found, besides what every box has on its PATH. */
const DEPENDENCY_PATHS = {
  PATH: '/runtime/bin:/app/.deps/bin:/app/node_modules/.bin:/usr/local/bin:/usr/bin:/bin',
  PYTHONPATH: '/app/.deps',
};
/** How far beyond the cut of a long line is looked for a secret, at least. */
const LOOKAHEAD_BYTES = 8192;

export interface ExecutionParts {
  sandbox: Sandbox;
  runs: RunExecutionRepository;
  versions: VersionCache;
  inputs: RunInputs;
  secrets: RunSecrets;
  gates: Gates;
  files: RunFiles;
  outputs: Outputs;
  database: Database;
}

/** One run on its way through this worker: prepared, begun, boxed, ended. */
export class RunExecution {
  private readonly logger = new Logger(RunExecution.name);
  private readonly log: LiveLog;
  private box: BoxedProcess | null = null;
  private outputs: NewOutputFile[] = [];
  private network: HostUsage[] = [];
  private durationMs: number | null = null;
  private over = false;
  private mask = (text: string): string => text;
  /** Why it is being ended by us rather than by itself. */
  private ending: 'cancelled' | 'stopped' | 'lost' | null = null;

  constructor(
    readonly run: ClaimedRun,
    private readonly parts: ExecutionParts,
  ) {
    this.log = new LiveLog((state) => parts.runs.write(run, state));
  }

  /** Somebody cancelled the run. Its status follows from the database when it ends. */
  cancel(): void {
    this.ending ??= 'cancelled';
    this.box?.terminate();
  }

  /** This worker is being stopped. */
  stop(): void {
    this.ending ??= 'stopped';
    this.box?.terminate();
  }

  /** The claim is gone: end what runs, and write nothing more. */
  abandon(): void {
    this.ending = 'lost';
    this.box?.kill();
  }

  /** As `abandon`, unless the command is over and only its end is being written, which finds out by itself. */
  abandonUnlessEnding(): void {
    if (!this.over) this.abandon();
  }

  async execute(): Promise<void> {
    const result = await this.carryOut().catch((error: unknown): Result => {
      if (!(error instanceof RunFailure)) {
        this.logger.error(`${this.run.id}: ${this.mask(describeError(error))}`);
      }
      return failed(this.mask(error instanceof Error ? error.message : String(error)));
    });
    this.over = true;
    if (result === null || this.ending === 'lost') return;
    await this.finish(result);
  }

  private async carryOut(): Promise<Result | null> {
    this.checkPlace();
    const secrets = await this.parts.secrets.open(this.run);
    this.mask = secrets.masker.maskLine;
    const version = await this.parts.versions.open(this.run).catch((error: Error) => {
      throw new RunFailure(`the version's files could not be read: ${error.message}`);
    });
    try {
      const inputs = await this.parts.inputs.prepare(this.run).catch((error: Error) => {
        throw new RunFailure(`the inputs could not be laid out: ${error.message}`);
      });
      try {
        const begun = this.run.begun ? { cancelRequested: false } : await this.parts.runs.begin(this.run);
        if (!begun) return null;
        if (begun.cancelRequested || this.ending) return this.endedByUs();
        return await this.runBehindGate(version.directory, inputs, secrets);
      } finally {
        await inputs.dispose();
      }
    } finally {
      version.release();
    }
  }

  private async runBehindGate(app: string, inputs: PreparedInputs, secrets: OpenedSecrets): Promise<Result> {
    const gate = this.parts.gates.open(this.run, secrets.plan, {
      log: (line) => this.log.add(secrets.masker.maskLine(line)),
      secretUsed: (name) => this.parts.secrets.noteUse(this.run, name),
    });
    try {
      return await this.runInBox(app, inputs, secrets, gate);
    } finally {
      this.network = (await gate?.close()) ?? [];
    }
  }

  private async runInBox(
    app: string,
    inputs: PreparedInputs,
    { plan, masker }: OpenedSecrets,
    gate: RunGate | null,
  ): Promise<Result> {
    const { run } = this;
    const box = this.parts.sandbox.run({
      argv: inputs.argv,
      env: { ...withoutOwn(plan.placeholders), ...plan.env, ...environmentOf(run, inputs.jsonPath) },
      app,
      inputs: inputs.directory,
      timeoutMs: run.timeoutSeconds * 1000,
      limits: { memoryBytes: MEMORY_LIMIT_BYTES },
      ...(gate && { network: gate.network }),
    });
    this.box = box;
    try {
      const lines = {
        skipping: () => this.log.full,
        transform: masker.maskLine,
        lookahead: Math.max(LOOKAHEAD_BYTES, masker.longest),
      };
      const stdout = new StdoutRecorder(this.log.add, { lines });
      const stderr = new StderrRecorder({ onLine: this.log.add, onProgress: this.log.report }, lines);
      box.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
      box.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
      const [exit] = await Promise.all([box.exited, ended(box.stdout), ended(box.stderr), gate?.attach(box)]);
      this.durationMs = exit.durationMs;
      stderr.end();
      if (this.ending) stdout.flush();
      const result = this.ending
        ? this.endedByUs()
        : await judgeExit(exit, run, stdout, stderr, masker, this.parts.outputs);
      this.outputs = await collectOutputs(box, run, this.parts.files);
      return result;
    } finally {
      await box.dispose();
    }
  }

  private endedByUs(): Result {
    if (this.ending === 'stopped') return failed('the worker was stopped');
    return { outcome: 'cancelled', output: null, error: null };
  }

  private checkPlace(): void {
    const { gone, environmentName } = this.run;
    if (gone === 'workspace') throw new RunFailure('the workspace was deleted');
    if (gone === 'environment') throw new RunFailure(`the environment ${environmentName} was deleted`);
  }

  /** Tried until the database is there to take it: an end that is not written would make the run look lost. */
  private async finish(result: Result): Promise<void> {
    const { durationMs, network } = this;
    const end: RunEnd = { ...result, durationMs, network, ...(await this.log.close()) };
    for (;;) {
      try {
        if (!(await this.write(end))) await this.parts.files.discardOutputs(this.outputs);
        return;
      } catch (error) {
        if (error instanceof QuotaExceeded) {
          return this.finishWithoutOutput(end, `its files in /outputs could not be kept: ${error.message}`);
        }
        this.logger.warn(`The end of ${this.run.id} could not be written: ${String(error)}`);
        if (isDatabaseAway(error)) await new Promise((done) => setTimeout(done, RETRY_MS));
        else return this.finishWithoutOutput(end, 'its result could not be stored');
      }
    }
  }

  /** What was to be written cannot be: the run at least ends, and says so. */
  private async finishWithoutOutput(end: RunEnd, reason: string): Promise<void> {
    await this.parts.files.discardOutputs(this.outputs);
    await this.parts.runs.finish(this.run, {
      ...end,
      ...failed(reason),
    });
  }

  private write(end: RunEnd): Promise<boolean> {
    if (this.outputs.length === 0) return this.parts.runs.finish(this.run, end);
    return this.parts.database.transaction(async () => {
      const ours = await this.parts.runs.finish(this.run, end);
      if (ours) await this.parts.files.insertOutputs(this.outputs);
      return ours;
    });
  }
}

/** With what is known of its cause, which is for operators. */
function describeError(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? ` (${String(error.cause)})` : '';
  return `${String(error)}${cause}`;
}

/** Legal as names of secrets, but a placeholder must not take the place of what the box sets. */
const BOX_VARIABLES = ['HOME', 'TMPDIR', 'LANG'];

function withoutOwn(placeholders: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(placeholders).filter(([name]) => !BOX_VARIABLES.includes(name)));
}

/** Unbuffered, so that what a script prints is seen when it prints it; /app cannot take compiled files. */
function environmentOf(run: ClaimedRun, inputsPath: string): Record<string, string> {
  return {
    GATEHOUSE_INPUTS: inputsPath,
    GATEHOUSE_RUN_ID: run.id,
    GATEHOUSE_SCRIPT: run.scriptSlug,
    GATEHOUSE_ENVIRONMENT: run.environmentName,
    PYTHONUNBUFFERED: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    ...(run.depsKey !== null && DEPENDENCY_PATHS),
  };
}

function ended(stream: NodeJS.ReadableStream): Promise<void> {
  return new Promise((done) => {
    stream.once('end', done);
    stream.once('close', done);
    stream.once('error', () => done());
  });
}
