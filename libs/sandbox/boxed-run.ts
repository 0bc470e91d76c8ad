import { closeSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { BoxLostError, BoxStartError } from './box.js';
import type { BoxedProcess, BoxExit, BoxPlace, BoxSockets } from './box.js';
import { readExitCode } from './read-exit-code.js';
import type { RunChannels } from './launcher-process.js';
import type { InterpreterKind } from './interpreter-kind.js';
import type { LauncherEvent, LaunchRequest } from './launcher-protocol.js';
import { walkOutputs } from './outputs.js';
import type { OutputFile } from './outputs.js';
import type { Slot } from './slot.js';
import { emptyTree } from './tree-removal.js';
import { BoxEgress } from './box-egress.js';

interface RunParts {
  /** Unique among the runs of this process, modulo 2^32. */
  number: number;
  /** For messages. */
  command: string;
  /** To listen on; none: the box has no egress. */
  places: readonly BoxPlace[];
  /** The app's directory, where it can be written to. */
  writableApp: string | null;
  /** Removes what was made for this run alone; called when it has ended, before `exited` is settled. */
  cleanUp: () => void;
}

/** How a run begins in a slot. */
export interface RunStart {
  request: LaunchRequest;
  /** What could have been started ahead for it. */
  kind: InterpreterKind | null;
  /** Whose place it gets, where that is not any; both are false for a place that is. */
  forked: boolean;
  kept: boolean;
  /** Takes the slot after the run. */
  giveBack: (slot: Slot) => Promise<void>;
  /** Begins it in another slot, where what stays in this one has ended before it could; null: that cannot be. */
  instead: (() => void) | null;
}

/** One run of a slot, from the wait for the slot to its return. */
export class BoxedRun implements BoxedProcess {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  private readonly start = Promise.withResolvers<void>();
  private readonly end = Promise.withResolvers<BoxExit>();
  readonly started = this.start.promise;
  readonly exited = this.end.promise;
  private readonly entry = Promise.withResolvers<BoxSockets | null>();
  readonly network = this.entry.promise;
  private wayOut: BoxEgress | null = null;

  private slot: Slot | null = null;
  private way: RunStart | null = null;
  /** Its command runs, or is about to. */
  private begun = false;
  /** Whoever serves it has its sockets. */
  private served = false;
  private channels: RunChannels | null = null;
  private pendingOrder: 'T' | 'K' | null = null;
  private finished = false;
  private disposal: Promise<void> | null = null;

  constructor(private readonly parts: RunParts) {
    if (parts.places.length === 0) this.entry.resolve(null);
    // Whoever does not ask is not told that they were rejected.
    for (const promise of [this.started, this.exited]) promise.catch(() => undefined);
  }

  /** Runs in this slot, which is ours until {@link dispose}. */
  begin(slot: Slot, way: RunStart): void {
    this.slot = slot;
    this.way = way;
    if (this.pendingOrder) {
      this.cancelBeforeStart();
      return;
    }
    const { number, places } = this.parts;
    const wayOut = places.length > 0 ? new BoxEgress(number, places, (sockets) => this.open(sockets)) : null;
    this.wayOut = wayOut;
    this.channels = slot.start(way.request, way.kind, {
      event: (event) => void this.receive(event),
      socket: (message, socket) => (wayOut ? wayOut.add(message, socket) : socket.close()),
    });
    if (!way.instead) this.listen(this.channels);
  }

  private listen({ stdout, stderr }: RunChannels): void {
    stdout.pipe(this.stdout);
    stderr.pipe(this.stderr);
  }

  /** No slot could be had. */
  fail(error: Error): void {
    this.finish();
    this.reject(error);
    this.stdout.end();
    this.stderr.end();
  }

  holdClock(held: boolean): void {
    this.order(held ? 'H' : 'O');
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

  private order(letter: 'G' | 'H' | 'O' | 'T' | 'K'): void {
    if (this.finished) return;
    if (letter === 'T' || letter === 'K') this.pendingOrder = letter;
    if (this.channels) this.slot?.launcher.order(letter);
  }

  /** Whoever waits for the sockets takes them in this turn of the event loop, so the command may begin in the next. */
  private open(sockets: BoxSockets): void {
    this.served = true;
    this.entry.resolve(sockets);
    setImmediate(() => this.order('G'));
  }

  /** Nothing of the box runs any more. */
  private finish(): void {
    this.finished = true;
    this.wayOut?.close();
    this.entry.resolve(null);
    this.parts.cleanUp();
  }

  private cancelBeforeStart(): void {
    this.finish();
    const signal = this.pendingOrder === 'K' ? 'SIGKILL' : 'SIGTERM';
    this.start.resolve();
    this.end.resolve({
      code: null,
      signal,
      timedOut: false,
      terminated: true,
      outOfMemory: false,
      durationMs: 0,
      appOverflow: null,
      startedAhead: false,
      forked: false,
      kept: false,
      refusedPorts: [],
      cpuMs: null,
      peakMemoryBytes: null,
    });
    this.stdout.end();
    this.stderr.end();
  }

  private async receive(event: LauncherEvent | null): Promise<void> {
    const { channels, slot, way } = this;
    if (channels && way?.instead && !this.begun) {
      if (!event && !this.served) return this.beginInstead(channels, slot, way);
      this.listen(channels);
    }
    this.begun = true;
    if (event?.type === 'started') {
      this.start.resolve();
      return;
    }
    this.finish();
    if (!event) await this.fall();
    else if (event.type === 'failed') await this.failToStart(event.reason);
    else await this.conclude(event);
  }

  /** What would have run it is gone, and nothing of it has run. */
  private beginInstead(channels: RunChannels, slot: Slot | null, { giveBack, instead }: RunStart): void {
    this.wayOut?.close();
    this.close(channels);
    this.channels = null;
    this.slot = null;
    if (slot) void giveBack(slot);
    instead?.();
  }

  private async conclude({ code, report }: Extract<LauncherEvent, { type: 'exited' }>): Promise<void> {
    if (report.appOverflow) await this.discardApp();
    const killed = report.terminated || report.appOverflow !== null;
    if (code === null && !killed) {
      await this.failToStart(`${this.parts.command} could not be executed; the standard error says why`);
      return;
    }
    this.start.resolve();
    this.end.resolve({
      ...(code === null ? { code, signal: 'SIGKILL' } : readExitCode(code)),
      ...report,
      forked: this.way?.forked ?? false,
      kept: this.way?.kept ?? false,
    });
  }

  /**
   * The launcher is dead. The kernel kills a process namespace with its first process, so the box ends too, whatever the
   * launcher died of; but only the removal of the cgroup tells us that every process is gone.
   */
  private async fall(): Promise<void> {
    await this.slot?.close();
    await this.discardApp();
    this.reject(new BoxLostError('killed by SIGKILL', { cause: this.slot?.launcher.lastWords }));
  }

  private async failToStart(reason: string): Promise<void> {
    await this.discardApp();
    const places = this.way?.request.binds.map(({ source, target }) => `${target} is ${source}`);
    this.reject(new BoxStartError(`the box could not start: ${reason}`, { cause: places?.join(', ') }));
  }

  private reject(error: Error): void {
    this.start.reject(error);
    this.end.reject(error);
  }

  /** The files may belong to anybody and be readable by nobody. What cannot be removed is left for the caller to find. */
  private async discardApp(): Promise<void> {
    if (this.parts.writableApp !== null) await emptyTree(this.parts.writableApp).catch(() => undefined);
  }

  private async release(): Promise<void> {
    this.kill();
    await this.exited.catch(() => undefined);
    const { channels, slot } = this;
    this.channels = null;
    this.slot = null;
    if (channels) this.close(channels);
    this.stdout.destroy();
    this.stderr.destroy();
    if (slot) await this.way?.giveBack(slot);
  }

  private close({ stdout, stderr, outputs }: RunChannels): void {
    stdout.destroy();
    stderr.destroy();
    closeSync(outputs);
  }
}
