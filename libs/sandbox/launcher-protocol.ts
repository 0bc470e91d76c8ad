import type { AppOverflow, BoxExit, BoxPlace, ReadOnlyBind, RefusedPort, WritableApp } from './box.js';

/**
 * `run`: the command is started. `become`: what waits in the slot is what the command would start, and gets its words instead.
 * `wait`: there is no run yet, the command is to wait for one. `template`: it is forked for each run that comes. `stay`: it serves
 * them one after another.
 */
type LaunchPurpose = 'run' | 'become' | 'wait' | 'template' | 'stay';

const LETTERS: Record<LaunchPurpose, string> = { run: 'R', become: 'R', wait: 'W', template: 'P', stay: 'S' };

/** What the launcher is told for one run, or for what is to wait for one; `native/channel.c` reads it. */
export interface LaunchRequest {
  /** The run's number, by which its sockets are told from those of others. */
  number: number;
  timeoutMs: number;
  graceMs: number;
  /** The first is the app. */
  binds: readonly ReadOnlyBind[];
  /** To listen on; none: the box has no egress. */
  places: readonly BoxPlace[];
  /** Of an app that may be written to. */
  writableApp: WritableApp | null;
  /** bubblewrap's options, each ended by NUL. */
  options: Buffer;
  command: readonly string[];
}

/** The launcher's account of a run. `failed`: the command never ran. */
export type LauncherEvent =
  | { type: 'started' }
  | { type: 'failed'; reason: string }
  | { type: 'exited'; code: number | null; report: Omit<BoxExit, 'code' | 'signal' | 'forked' | 'kept'> };

/** The launcher's message about a socket that comes with it: a listening one, or the one for DNS. Source: `native/network.c`. */
export type SocketMessage = { run: number } & (BoxPlace | { dns: true });

/** A request as bytes: see `receive_request` in `native/channel.c`. */
export function encodeRequest(request: LaunchRequest, purpose: LaunchPurpose): Buffer {
  const { binds, places, writableApp, options, command } = request;
  const strings = (words: readonly string[]): Buffer =>
    Buffer.from(words.map((word) => `${word}\0`).join(''));
  const body = [
    strings(binds.flatMap(({ source, target }) => [source, target])),
    strings(places.map(({ address, port }) => `${address}:${port}`)),
    options,
    strings(command),
  ];
  const numbers = [
    ...[body.reduce((sum, part) => sum + part.length, 0), request.number, request.timeoutMs, request.graceMs],
    ...[Math.ceil((writableApp?.maxBytes ?? 0) / 1024), writableApp?.maxFiles ?? 0],
    ...[binds.length, places.length, options.length, command.length, purpose === 'become' ? 1 : 0],
  ];
  const head = Buffer.alloc(1 + 4 * numbers.length);
  head.write(LETTERS[purpose]);
  numbers.forEach((value, index) => head.writeUInt32LE(value, 1 + 4 * index));
  return Buffer.concat([head, ...body]);
}

/** One line from the launcher about its run. */
export function parseEvent(line: string): LauncherEvent {
  const [type, ...words] = line.split(' ');
  if (type === 'started') return { type };
  if (type === 'failed') return { type, reason: words.join(' ') };
  const [code = -1, timedOut, terminated, outOfMemory, durationMs = 0] = words.slice(0, 5).map(Number);
  const overflow = words[5] ?? '-';
  const report = {
    timedOut: timedOut === 1,
    terminated: terminated === 1,
    outOfMemory: outOfMemory === 1,
    durationMs,
    appOverflow: overflow === '-' ? null : (overflow as AppOverflow),
    startedAhead: words[6] === '1',
    refusedPorts: parseRefused(words[7] ?? '-'),
    cpuMs: known(words[8]),
    peakMemoryBytes: known(words[9]),
  };
  return { type: 'exited', code: code < 0 ? null : code, report };
}

/** -1 stands for what the launcher does not know. */
function known(word: string | undefined): number | null {
  const value = Number(word ?? -1);
  return value < 0 ? null : value;
}

/** Source: `tell_refused` in `native/refused.c`. */
function parseRefused(word: string): RefusedPort[] {
  if (word === '-') return [];
  return word.split(',').map((pair) => {
    const [port = 0, attempts = 0] = pair.split(':').map(Number);
    return { port, attempts };
  });
}
