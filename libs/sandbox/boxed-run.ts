import { closeSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { BoxLostError, BoxStartError } from './box.js';
import type { BoxedProcess, BoxExit, BoxSockets } from './box.js';
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
  request: LaunchRequest;
  /** What could have been started ahead for it. */
  kind: InterpreterKind | null;
  /** It gets the place of a template. */
  forked: boolean;
  /** To listen on; none: the box has no egress. */
  ports: readonly number[];
  /** The app's directory, where it can be written to. */
  writableApp: string | null;
  /** Removes what was made for this run alone; called when it has ended, before `exited` is settled. */
  cleanUp: () => void;
  /** Takes the slot after the run. */
  giveBack: (slot: Slot) => Promise<void>;
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
  private readonly wayOut: BoxEgress | null;

  private slot: Slot | null = null;
  private channels: RunChannels | null = null;
  private pendingOrder: 'T' | 'K' | null = null;
  private finished = false;
  private disposal: Promise<void> | null = null;

  constructor(private readonly parts: RunParts) {
    const { number, ports } = parts;
    this.wayOut = ports.length > 0 ? new BoxEgress(number, ports, (sockets) => this.open(sockets)) : null;
    if (!this.wayOut) this.entry.resolve(null);
    // Whoever does not ask is not told that they were rejected.
    for (const promise of [this.started, this.exited]) promise.catch(() => undefined);
  }

  /** Runs in this slot, which is ours until {@link dispose}. */
  begin(slot: Slot): void {
    this.slot = slot;
    if (this.pendingOrder) {
      this.cancelBeforeStart();
      return;
    }
    this.channels = slot.start(this.parts.request, this.parts.kind, {
      event: (event) => void this.receive(event),
      socket: (message, socket) => (this.wayOut ? this.wayOut.add(message, socket) : socket.close()),
    });
    this.channels.stdout.pipe(this.stdout);
    this.channels.stderr.pipe(this.stderr);
  }

  /** No slot could be had. */
  fail(error: Error): void {
    this.finish();
    this.reject(error);
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

  private order(letter: 'G' | 'T' | 'K'): void {
    if (this.finished) return;
    if (this.channels) this.slot?.launcher.order(letter);
    else if (letter !== 'G') this.pendingOrder = letter;
  }

  /** Whoever waits for the sockets takes them in this turn of the event loop, so the command may begin in the next. */
  private open(sockets: BoxSockets): void {
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
      refusedPorts: [],
      cpuMs: null,
      peakMemoryBytes: null,
    });
    this.stdout.end();
    this.stderr.end();
  }

  private async receive(event: LauncherEvent | null): Promise<void> {
    if (event?.type === 'started') {
      this.start.resolve();
      return;
    }
    this.finish();
    if (!event) await this.fall();
    else if (event.type === 'failed') await this.failToStart(event.reason);
    else await this.conclude(event);
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
      forked: this.parts.forked,
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
    const places = this.parts.request.binds.map(({ source, target }) => `${target} is ${source}`);
    this.reject(new BoxStartError(`the box could not start: ${reason}`, { cause: places.join(', ') }));
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
    if (channels) {
      channels.stdout.destroy();
      channels.stderr.destroy();
      closeSync(channels.outputs);
    }
    this.stdout.destroy();
    this.stderr.destroy();
    if (slot) await this.parts.giveBack(slot);
  }
}
