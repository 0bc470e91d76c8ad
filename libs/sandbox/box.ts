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

/** For an install command, which unpacks much: give them as `limits`, with {@link BUILD_TIMEOUT_MS}. */
export const BUILD_LIMITS: Readonly<Partial<BoxLimits>> = {
  memoryBytes: 1024 * MiB,
  processes: 256,
  tmpBytes: 768 * MiB,
  files: 300_000,
};
export const BUILD_TIMEOUT_MS = 300_000;

/** An address of the box's loopback network, such as `127.0.0.1`, with a port. */
export interface BoxPlace {
  address: string;
  port: number;
}

/** The box's egress: what listens on its loopback is served by whoever takes {@link BoxedProcess.network}. */
export interface BoxNetwork {
  /** TCP ports of 127.0.0.1 inside the box; 443 is always one of them. All others refuse connections. */
  ports: readonly number[];
  /** Host names that `/etc/hosts` leads to 127.0.0.1; others are asked for by DNS. */
  names: readonly string[];
  /** Names that have an address of their own, from 127.1.0.0 on, and the ports there. */
  apart?: readonly ({ name: string } & BoxPlace)[];
  /** PEM of the one certificate authority that programs in the box trust. */
  caPem: string;
}

/**
 * A socket that this process holds and does not read: to be given to a server (`net.Server.listen`, `dgram.Socket.bind`) or
 * sent to another process (`ChildProcess.send`), any number of times.
 */
export interface SocketHandle {
  close(): void;
}

/** The sockets of the box's egress, in its network namespace. They are closed when the box has ended. */
export interface BoxSockets {
  /** They listen already. Only processes of the box can connect to them. */
  servers: (BoxPlace & { handle: SocketHandle })[];
  /** Bound to 127.0.0.1:53, where the box sends its queries. */
  dns: SocketHandle;
}

/** What an app that may be written to may grow to. */
export interface WritableApp {
  maxBytes: number;
  /** Files, directories and links together. */
  maxFiles: number;
}

/** A read-only view of a host's file or directory. `target` must be a path that exists in the box, such as `/etc/hosts`. */
export interface ReadOnlyBind {
  source: string;
  target: string;
}

/** How a process stays that calls a function, see `kept.ts`. */
export interface Keep {
  /**
   * Runs of the same name may find in memory what those before have left there. What is the box's (command, variables, network,
   * limits) is compared besides. Everything else in which they must agree is in the name, such as who may know of them.
   */
  name: string;
  /** For whom it is started: one at a time is for each. */
  owner: string;
  /** Without a run for as long, it ends. */
  idleMs: number;
  /** After so many, it ends. */
  runs: number;
  /** Variables that are each run's own. The names are the same in all. */
  own: readonly string[];
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
  /**
   * Host directory that becomes `/inputs`, read-only; the same holds for its modes. With `keep`, nobody may write to its files again: their
   * pages may lie in a pipe of the process.
   */
  inputs?: string;
  /** From the start of the command; then everything gets SIGTERM. 0: none. */
  timeoutMs: number;
  /** Between SIGTERM and SIGKILL. Default 5000. */
  graceMs?: number;
  limits?: Partial<BoxLimits>;
  /**
   * Runs of the same name have the same app and may know of each other what their processes' memory looks like: an interpreter that
   * has imported what the script does may be forked for each of them. Absent: never.
   */
  template?: string;
  /** false: nothing of it is started ahead, and no interpreter waits for it or for others like it. Default true. */
  warm?: boolean;
  /** For whom the template is made: one at a time is made for each. Default: its name. */
  templateOwner?: string;
  /** Its command, one of `callOf`, may stay for further runs. Absent: it ends with its run. */
  keep?: Keep;
  /** Standard input is always empty. */
  stdin?: 'empty';
  extraRoBinds?: readonly ReadOnlyBind[];
  /** Absent: no network at all. */
  network?: BoxNetwork;
  /**
   * `app` can be written to, on the host's disk: for builds. It must be a directory of the caller's own that nobody else
   * uses meanwhile. When the box has ended it holds plain files, directories and links that belong to the worker's user
   * and that everybody may read; nothing at all if {@link BoxExit.appOverflow} is set or the box could not be run to its end.
   * A worker that is killed may leave it in another state: `removeTree` removes it all the same.
   */
  writableApp?: WritableApp;
}

export interface BoxExit {
  /** The command's exit code; null if it was killed by a signal. */
  code: number | null;
  /** The signal's name (`SIGKILL`), also where the command is a shell that reports one by a code of 128 and more. */
  signal: string | null;
  timedOut: boolean;
  /** It was ended on request: by the time-out, `terminate()` or `kill()`. */
  terminated: boolean;
  /** The kernel killed one of its processes because the memory limit was reached. Always false in reduced mode. */
  outOfMemory: boolean;
  durationMs: number;
  /** Why a writable app was given up, and the command killed if it still ran; null otherwise. */
  appOverflow: AppOverflow | null;
  /** Its interpreter was there before the run, and became the command. */
  startedAhead: boolean;
  /** Its process was forked from one that had imported what the script does. */
  forked: boolean;
  /** Its process may have served others before, and may serve others after it. */
  kept: boolean;
  /**
   * Processor time of all its processes, in milliseconds, with that of an interpreter that was there before it for it alone. null: of
   * a forked one that has ended with its template.
   */
  cpuMs: number | null;
  /** The most memory that all its processes had at a time, with what they kept in files; of a forked one, beyond its template's. null: unknown to this kernel. */
  peakMemoryBytes: number | null;
  /** The first 20 ports that it tried in vain. Empty where the kernel does not let us watch. */
  refusedPorts: readonly RefusedPort[];
}

/** A port of 127.0.0.1 on which nothing listened, which is what every name leads to. Which name was meant, nobody can tell. */
export interface RefusedPort {
  port: number;
  /** Connections that were seen to be refused; when there are very many, not all are. */
  attempts: number;
}

/** More bytes or files than allowed, directories nested too deep, the host's disk nearly full, or a file system that fails. */
export type AppOverflow = 'bytes' | 'files' | 'depth' | 'disk' | 'error';

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
  /**
   * The sockets of its egress, or null for a box without network, or one that ended before its command could begin. Whoever
   * attaches to them as soon as this resolves misses nothing: the command begins afterwards. Never rejects.
   */
  readonly network: Promise<BoxSockets | null>;
  /** Of a command that has begun: while its clock is held, the time until `timeoutMs` does not pass. */
  holdClock(held: boolean): void;
  /** SIGTERM to every process, `graceMs` later SIGKILL. May be called at any time and repeatedly. */
  terminate(): void;
  /** SIGKILL to every process. */
  kill(): void;
  /** The regular files under /outputs, after `exited`. Links, FIFOs and devices are passed over. */
  outputs(): AsyncIterable<OutputFile>;
  /** Kills what still runs, then frees /outputs and the place in which the box ran. Must be called once for each box. */
  dispose(): Promise<void>;
}

/**
 * The command could not be started: it was not found, a directory was missing or unreadable. The message says where that is in
 * the box, and `cause` where it is on the host.
 */
export class BoxStartError extends Error {
  override readonly name = 'BoxStartError';
}

/**
 * The launcher ended unexpectedly. Nothing is known of the command but that it was killed, which the message says as of
 * any killed command. `cause` has the launcher's last words.
 */
export class BoxLostError extends Error {
  override readonly name = 'BoxLostError';
}

/** No script can run on this machine as it is; the message says what to do. */
export class SandboxUnavailable extends Error {
  override readonly name = 'SandboxUnavailable';
}
