import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { SandboxUnavailable } from './box.js';
import type { SocketHandle } from './box.js';
import { parseEvent } from './launcher-protocol.js';
import type { LauncherEvent, SocketMessage } from './launcher-protocol.js';

/** What a run is read through. The descriptors are opened before it starts, from the launcher's. */
export interface RunChannels {
  stdout: Socket;
  stderr: Socket;
  outputs: number;
}

/** Gets a run's sockets as they come in: the launcher's message about one, and the socket. */
export type SocketListener = (message: SocketMessage, socket: SocketHandle) => void;

/** Who is told about a run. */
export interface RunListener {
  /** Gets null if the launcher dies under the run. */
  event: (event: LauncherEvent | null) => void;
  /** Must close what it does not want. */
  socket: SocketListener;
}

export interface LauncherOptions {
  path: string;
  arguments: readonly string[];
  /** A file with the system call filter. */
  seccompFile: string;
}

const MAX_COMPLAINT = 4096;
const CLOSE_PATIENCE_MS = 5000;

/** One launcher: a process that runs boxes one after another. */
export class LauncherProcess {
  private readonly child: ChildProcess;
  private readonly control: Socket;
  private complaint = '';
  private received = '';
  private channels: RunChannels | null = null;
  private readonly readiness: { resolve: () => void; reject: (error: Error) => void }[] = [];
  private ended = false;
  private closing = false;
  /** Of what waits for a run: told whether it is ready, or false once it has ended. */
  private tellWaiting: ((ready: boolean) => void) | null = null;
  /** Of the run in progress; null between runs. */
  private listener: RunListener | null = null;
  readonly gone: Promise<void>;

  constructor({ path, arguments: words, seccompFile }: LauncherOptions) {
    // Each launcher needs an open file description of its own: it rewinds it.
    const filter = openSync(seccompFile, constants.O_RDONLY);
    try {
      this.child = spawn(path, words, {
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', filter, 'ipc'],
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
        this.listener?.event(null);
        resolve();
      };
      this.child.on('error', (error) => end(error.message));
      this.child.on('close', (code, signal) => end(`the launcher ended (${signal ?? `exit code ${code}`})`));
    });
    this.child.on('message', (message, socket) =>
      this.deliverSocket(message as SocketMessage, socket as unknown as SocketHandle),
    );
    // An idle launcher must not keep the worker's process alive; it ends with it.
    this.child.unref();
    this.child.channel?.unref();
    this.control.unref();
    (this.child.stderr as Socket | null)?.unref();
  }

  /** What the launcher printed before it ended. */
  get lastWords(): string {
    return this.complaint.trim();
  }

  /** Or about to be. */
  get isGone(): boolean {
    return this.ended || this.closing;
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

  /** Starts a run. Must be ready. */
  start(request: Buffer, listener: RunListener): RunChannels {
    const { channels } = this;
    if (!channels) throw new Error('the launcher is not ready');
    this.channels = null;
    this.tellWaiting = null;
    this.listener = listener;
    for (const socket of [this.control, channels.stdout, channels.stderr]) socket.ref();
    this.control.write(request);
    return channels;
  }

  /** Starts a command that waits for a run. Must be ready. */
  wait(request: Buffer, tell: (ready: boolean) => void): void {
    this.tellWaiting = tell;
    this.control.write(request);
  }

  /** Whether nothing has been written to the outputs yet. */
  get isSilent(): boolean {
    return !this.channels || this.channels.stdout.readableLength + this.channels.stderr.readableLength === 0;
  }

  /**
   * G: a command with egress may begin; H: its time does not pass until O; T: SIGTERM to all and SIGKILL after the grace;
   * K: SIGKILL to all; C: end what waits.
   */
  order(letter: 'G' | 'H' | 'O' | 'T' | 'K' | 'C'): void {
    if (!this.ended) this.control.write(letter);
  }

  /** Ends the launcher, and with it what runs. Resolves when all of it is gone. */
  async close(): Promise<void> {
    this.closing = true;
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
      else if (line === 'warm') this.tellWaiting?.(true);
      else if (line === 'cooled') this.tellWaiting?.(false);
      else this.deliver(parseEvent(line));
    }
  }

  private deliver(event: LauncherEvent): void {
    const { listener } = this;
    if (event.type !== 'started') {
      this.listener = null;
      this.control.unref();
    }
    listener?.event(event);
  }

  /** A socket that comes after its run's end, or with a message of unknown form, is closed. */
  private deliverSocket(message: SocketMessage, socket: SocketHandle): void {
    if (this.listener) this.listener.socket(message, socket);
    else socket.close();
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
    this.discardChannels();
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
