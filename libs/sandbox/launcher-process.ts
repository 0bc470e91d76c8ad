import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { SandboxUnavailable } from './box.js';
import type { BoxExit, ReadOnlyBind } from './box.js';

/** What the launcher is told for one run; `native/channel.c` reads it. */
export interface LaunchRequest {
  timeoutMs: number;
  graceMs: number;
  binds: readonly ReadOnlyBind[];
  /** bubblewrap's options, each ended by NUL. */
  options: Buffer;
  command: readonly string[];
}

/** What a run is read through. The descriptors are opened before it starts, from the launcher's. */
export interface RunChannels {
  stdout: Socket;
  stderr: Socket;
  outputs: number;
}

/** The launcher's account of a run. `failed`: the command never ran. */
export type LauncherEvent =
  | { type: 'started' }
  | { type: 'failed'; reason: string }
  | { type: 'exited'; code: number | null; report: Omit<BoxExit, 'code' | 'signal'> };

export interface LauncherOptions {
  path: string;
  arguments: readonly string[];
  /** A file with the system call filter. */
  seccompFile: string;
}

const MAX_COMPLAINT = 4096;
const CLOSE_PATIENCE_MS = 5000;

/** A request as bytes: see `receive_request` in `native/channel.c`. */
export function encodeRequest({ timeoutMs, graceMs, binds, options, command }: LaunchRequest): Buffer {
  const strings = (words: readonly string[]): Buffer =>
    Buffer.from(words.map((word) => `${word}\0`).join(''));
  const body = [strings(binds.flatMap(({ source, target }) => [source, target])), options, strings(command)];
  const head = Buffer.alloc(25);
  head.write('R');
  const length = body.reduce((sum, part) => sum + part.length, 0);
  [length, timeoutMs, graceMs, binds.length, options.length, command.length].forEach((value, index) =>
    head.writeUInt32LE(value, 1 + 4 * index),
  );
  return Buffer.concat([head, ...body]);
}

/** One line from the launcher about its run. */
export function parseEvent(line: string): LauncherEvent {
  const [type, ...words] = line.split(' ');
  if (type === 'started') return { type };
  if (type === 'failed') return { type, reason: words.join(' ') };
  const [code = -1, timedOut, terminated, outOfMemory, durationMs = 0] = words.map(Number);
  const report = {
    timedOut: timedOut === 1,
    terminated: terminated === 1,
    outOfMemory: outOfMemory === 1,
    durationMs,
  };
  return { type: 'exited', code: code < 0 ? null : code, report };
}

/** One launcher: a process that runs boxes one after another. */
export class LauncherProcess {
  private readonly child: ChildProcess;
  private readonly control: Socket;
  private complaint = '';
  private received = '';
  private channels: RunChannels | null = null;
  private readonly readiness: { resolve: () => void; reject: (error: Error) => void }[] = [];
  private ended = false;
  /** Of the run in progress; null between runs. */
  private listener: ((event: LauncherEvent | null) => void) | null = null;
  /** The process is gone. */
  readonly gone: Promise<void>;

  constructor({ path, arguments: words, seccompFile }: LauncherOptions) {
    // Each launcher needs an open file description of its own: it rewinds it.
    const filter = openSync(seccompFile, constants.O_RDONLY);
    try {
      this.child = spawn(path, words, {
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', filter],
        env: {},
        cwd: '/',
      });
    } finally {
      closeSync(filter);
    }
    this.control = this.child.stdio[3] as Socket;
    this.control.setEncoding('utf8').on('data', (text: string) => this.read(text));
    this.control.on('error', () => undefined);
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.complaint = (this.complaint + text).slice(-MAX_COMPLAINT);
    });
    this.gone = new Promise((resolve) => {
      const end = (reason: string): void => {
        if (this.ended) return;
        this.ended = true;
        if (this.complaint === '') this.complaint = reason;
        this.discardChannels();
        this.readiness.splice(0).forEach(({ reject }) => reject(this.unavailable()));
        this.listener?.(null);
        resolve();
      };
      this.child.on('error', (error) => end(error.message));
      this.child.on('close', (code, signal) => end(`the launcher ended (${signal ?? `exit code ${code}`})`));
    });
    // An idle launcher keeps nobody alive: it ends when the worker ends.
    this.child.unref();
    this.control.unref();
    (this.child.stderr as Socket | null)?.unref();
  }

  /** What the launcher said before it ended. */
  get lastWords(): string {
    return this.complaint.trim();
  }

  get isGone(): boolean {
    return this.ended;
  }

  private unavailable(): SandboxUnavailable {
    return new SandboxUnavailable(`the sandbox's launcher could not prepare a box: ${this.lastWords}`);
  }

  /** Resolves once a run can be started. @throws SandboxUnavailable with the launcher's words. */
  ready(): Promise<void> {
    if (this.channels) return Promise.resolve();
    if (this.ended) return Promise.reject(this.unavailable());
    this.control.ref();
    return new Promise((resolve, reject) => this.readiness.push({ resolve, reject }));
  }

  /** Starts a run. Must be ready, and `listener` gets null if the launcher dies under it. */
  start(request: Buffer, listener: (event: LauncherEvent | null) => void): RunChannels {
    const { channels } = this;
    if (!channels) throw new Error('the launcher is not ready');
    this.channels = null;
    this.listener = listener;
    for (const socket of [this.control, channels.stdout, channels.stderr]) socket.ref();
    this.control.write(request);
    return channels;
  }

  /** T: SIGTERM to all and SIGKILL after the grace; K: SIGKILL to all. */
  order(letter: 'T' | 'K'): void {
    if (!this.ended) this.control.write(letter);
  }

  /** Ends the launcher, and with it what runs. Resolves when all of it is gone. */
  async close(): Promise<void> {
    this.child.ref();
    this.control.destroy();
    const impatience = setTimeout(() => this.child.kill('SIGKILL'), CLOSE_PATIENCE_MS);
    await this.gone;
    clearTimeout(impatience);
  }

  private read(text: string): void {
    const lines = (this.received + text).split('\n');
    this.received = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('ready ')) this.becomeReady(line);
      else this.deliver(parseEvent(line));
    }
  }

  private deliver(event: LauncherEvent): void {
    const { listener } = this;
    if (event.type !== 'started') {
      this.listener = null;
      this.control.unref();
    }
    listener?.(event);
  }

  private becomeReady(line: string): void {
    // The process is our child's child.
    const [pid = 0, stdout = 0, stderr = 0, outputs = 0] = line.split(' ').slice(1).map(Number);
    const opened: number[] = [];
    try {
      for (const [number, flags] of [
        [stdout, constants.O_RDONLY | constants.O_NONBLOCK],
        [stderr, constants.O_RDONLY | constants.O_NONBLOCK],
        [outputs, constants.O_RDONLY | constants.O_DIRECTORY],
      ] as const) {
        opened.push(openSync(`/proc/${pid}/fd/${number}`, flags));
      }
    } catch (error) {
      opened.forEach((descriptor) => closeSync(descriptor));
      this.complaint = `its pipes cannot be opened: ${(error as Error).message}`;
      this.child.kill('SIGKILL');
      return;
    }
    const [outFd = -1, errFd = -1, outputsFd = -1] = opened;
    const pipe = (fd: number): Socket => new Socket({ fd, readable: true, writable: false }).unref();
    this.channels = { stdout: pipe(outFd), stderr: pipe(errFd), outputs: outputsFd };
    if (!this.listener) this.control.unref();
    this.readiness.splice(0).forEach(({ resolve }) => resolve());
  }

  private discardChannels(): void {
    if (!this.channels) return;
    this.channels.stdout.destroy();
    this.channels.stderr.destroy();
    closeSync(this.channels.outputs);
    this.channels = null;
  }
}
