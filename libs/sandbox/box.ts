import type { Readable } from 'node:stream';
import type { OutputFile } from './outputs.js';

/** What a box may use. Sizes in bytes. */
export interface BoxLimits {
  /** Of all processes together, what they keep in /tmp, /dev/shm and /outputs included. In reduced mode: the heap of each process. */
  memoryBytes: number;
  /** Processes and threads together. */
  processes: number;
  openFiles: number;
  /** Share of the processors under contention, against 100 for the default. Without effect in reduced mode. */
  cpuWeight: number;
  /** At most this many processors' worth of time; 0: no bound but the machine. Without effect in reduced mode. */
  cpus: number;
  tmpBytes: number;
  /** Somewhat more can be written, so that exceeding it can be told from reaching it. */
  outputsBytes: number;
  sharedMemoryBytes: number;
  /** Files and directories in /tmp; a tenth of it in /outputs. */
  files: number;
}

const MiB = 1024 * 1024;

export const DEFAULT_LIMITS: Readonly<BoxLimits> = {
  memoryBytes: 512 * MiB,
  processes: 128,
  openFiles: 1024,
  cpuWeight: 100,
  cpus: 0,
  tmpBytes: 256 * MiB,
  outputsBytes: 100 * MiB,
  sharedMemoryBytes: 64 * MiB,
  files: 100_000,
};

/** A read-only view of a host's file or directory. `target` must be a path that exists in the box, such as `/etc/hosts`. */
export interface ReadOnlyBind {
  source: string;
  target: string;
}

export interface BoxSpec {
  /** The command and its arguments; the command is looked up on the box's PATH. */
  argv: readonly string[];
  /** Added to the box's own PATH, HOME, TMPDIR and LANG. Nothing else of the host's environment is visible. */
  env: Readonly<Record<string, string>>;
  /**
   * Host directory that becomes `/app`, read-only, and the working directory. It may lie in a folder that other users
   * cannot enter, but itself and what it contains must be readable for others (`a+rX`).
   */
  app: string;
  /** Host directory that becomes `/inputs`, read-only; the same holds for its modes. */
  inputs?: string;
  /** From the start of the command; then everything gets SIGTERM. 0: none. */
  timeoutMs: number;
  /** Between SIGTERM and SIGKILL. Default 5000. */
  graceMs?: number;
  limits?: Partial<BoxLimits>;
  /** Standard input is always empty. */
  stdin?: 'empty';
  extraRoBinds?: readonly ReadOnlyBind[];
}

export interface BoxExit {
  /** The command's exit code; null if it was killed by a signal. */
  code: number | null;
  /** The signal's name (`SIGKILL`), also where the command is a shell that reports one by a code of 128 and more. */
  signal: string | null;
  timedOut: boolean;
  /** Somebody asked for its end: the time-out, `terminate()` or `kill()`. */
  terminated: boolean;
  /** The kernel killed one of its processes because the memory limit was reached. Always false in reduced mode. */
  outOfMemory: boolean;
  durationMs: number;
}

/** One command in its box. */
export interface BoxedProcess {
  /** Both end when the last process has closed them. They must be read, or the command blocks once a pipe is full. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The box exists and the command is being executed. Rejects as `exited` does. */
  readonly started: Promise<void>;
  /**
   * Every process of the box is gone.
   * Rejects with {@link BoxStartError} if the command never ran, and with {@link BoxLostError} if the launcher died.
   */
  readonly exited: Promise<BoxExit>;
  /** SIGTERM to every process, `graceMs` later SIGKILL. May be called at any time and repeatedly. */
  terminate(): void;
  /** SIGKILL to every process. */
  kill(): void;
  /** The regular files under /outputs, after `exited`. Links, FIFOs and devices are passed over. */
  outputs(): AsyncIterable<OutputFile>;
  /** Kills what still runs, then frees /outputs and the place in which the box ran. Must be called once for each box. */
  dispose(): Promise<void>;
}

/** The command could not be started: it was not found, a directory was missing or unreadable. */
export class BoxStartError extends Error {
  override readonly name = 'BoxStartError';
}

/** The launcher ended unexpectedly, so that nothing is known of the command but that it is gone. */
export class BoxLostError extends Error {
  override readonly name = 'BoxLostError';
}

/** No script can run on this machine as it is; the message says what to do. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable';
}
