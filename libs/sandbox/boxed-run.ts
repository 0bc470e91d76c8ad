import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { PassThrough } from 'node:stream';
import { BoxLostError, BoxStartError } from './box.js';
import type { BoxedProcess, BoxExit } from './box.js';
import type { LauncherEvent, RunChannels } from './launcher-process.js';
import { walkOutputs } from './outputs.js';
import type { OutputFile } from './outputs.js';
import type { Slot } from './slot.js';

/** Other names for SIGABRT and SIGIO. */
const SYNONYMS = ['SIGIOT', 'SIGPOLL'];
const SIGNAL_NAMES = new Map(
  Object.entries(constants.signals)
    .filter(([name]) => !SYNONYMS.includes(name))
    .map(([name, number]) => [number, name]),
);

/**
 * bubblewrap reports a death by signal as shells do: 128 and the signal's number. The same code given on purpose is
 * taken for a signal, too, which is what a shell means by it.
 */
export function readExitCode(code: number): Pick<BoxExit, 'code' | 'signal'> {
  const signal = code > 128 ? SIGNAL_NAMES.get(code - 128) : undefined;
  return signal === undefined ? { code, signal: null } : { code: null, signal };
}

interface Deferred<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: Error) => void;
}

function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  // Whoever does not ask for it shall not bring the worker down.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

/** One run of a slot, from the wait for the slot to its return. */
export class BoxedRun implements BoxedProcess {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  private readonly start = deferred<void>();
  private readonly end = deferred<BoxExit>();
  readonly started = this.start.promise;
  readonly exited = this.end.promise;

  private slot: Slot | null = null;
  private channels: RunChannels | null = null;
  private pendingOrder: 'T' | 'K' | null = null;
  private finished = false;
  private disposal: Promise<void> | null = null;

  /** @param command for messages; @param giveBack takes the slot after the run. */
  constructor(
    private readonly command: string,
    private readonly request: Buffer,
    private readonly giveBack: (slot: Slot) => Promise<void>,
  ) {}

  /** Runs in this slot, which is ours until {@link dispose}. */
  begin(slot: Slot): void {
    this.slot = slot;
    if (this.pendingOrder) {
      this.cancelBeforeStart();
      return;
    }
    this.channels = slot.launcher.start(this.request, (event) => void this.receive(event));
    this.channels.stdout.pipe(this.stdout);
    this.channels.stderr.pipe(this.stderr);
  }

  /** No slot could be had. */
  fail(error: Error): void {
    this.finished = true;
    this.start.reject(error);
    this.end.reject(error);
    this.stdout.end();
    this.stderr.end();
  }

  terminate(): void {
    this.order('T');
  }

  kill(): void {
    this.order('K');
  }

  async *outputs(): AsyncIterable<OutputFile> {
    await this.exited;
    if (this.disposal) throw new Error('the outputs are gone: the box has been disposed of');
    if (this.channels) yield* walkOutputs(this.channels.outputs);
  }

  dispose(): Promise<void> {
    this.disposal ??= this.release();
    return this.disposal;
  }

  private order(letter: 'T' | 'K'): void {
    if (this.finished) return;
    if (this.channels) this.slot?.launcher.order(letter);
    else this.pendingOrder = letter;
  }

  private cancelBeforeStart(): void {
    this.finished = true;
    const signal = this.pendingOrder === 'K' ? 'SIGKILL' : 'SIGTERM';
    this.start.resolve();
    this.end.resolve({
      code: null,
      signal,
      timedOut: false,
      terminated: true,
      outOfMemory: false,
      durationMs: 0,
    });
    this.stdout.end();
    this.stderr.end();
  }

  private async receive(event: LauncherEvent | null): Promise<void> {
    if (event?.type === 'started') {
      this.start.resolve();
      return;
    }
    this.finished = true;
    if (event?.type === 'exited') {
      this.start.resolve();
      const { code, report } = event;
      if (code !== null) this.end.resolve({ ...readExitCode(code), ...report });
      else if (report.terminated) this.end.resolve({ code: null, signal: 'SIGKILL', ...report });
      else this.failToStart(`${this.command} could not be executed; the standard error says why`);
    } else if (event?.type === 'failed') {
      this.failToStart(event.reason);
    } else {
      // Its death has killed the box, but only the removal of the cgroup tells us that all is over.
      await this.slot?.close();
      const error = new BoxLostError(
        `the launcher ended under a run: ${this.slot?.launcher.lastWords ?? ''}`,
      );
      this.start.reject(error);
      this.end.reject(error);
    }
  }

  private failToStart(reason: string): void {
    const error = new BoxStartError(`the box could not start: ${reason}`);
    this.start.reject(error);
    this.end.reject(error);
  }

  private async release(): Promise<void> {
    this.kill();
    await this.exited.catch(() => undefined);
    const { channels, slot } = this;
    this.channels = null;
    this.slot = null;
    if (channels) {
      channels.stdout.destroy();
      channels.stderr.destroy();
      closeSync(channels.outputs);
    }
    this.stdout.destroy();
    this.stderr.destroy();
    if (slot) await this.giveBack(slot);
  }
}
