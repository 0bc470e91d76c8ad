import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

import { SandboxUnavailable } from './box.js';
import { defaultLauncherPath } from './launcher-path.js';

/** Ids of users, which are ids of groups as well. */
interface IdRange {
  from: number;
  count: number;
}

/** Ids that neither distributions nor systemd give out (source: systemd's "Users, Groups, UIDs and GIDs"). */
const LARGE: IdRange = { from: 0x70000000, count: 0x0ff00000 };
/** For containers that know 65,536 ids only. */
const SMALL: IdRange = { from: 60578, count: 600 };
/** Of the ids that are given to an ordinary user. Fewer, and slots would share them. */
const FEWEST_GIVEN = 256;

const MAPPERS = ['newuidmap', 'newgidmap'].map((name) => `/usr/bin/${name}`);

/**
 * Whom boxes run as on the host. `others`: each slot as a user of its own. Nothing counted or owned by user crosses to
 * the next slot or the worker. `own`: as the worker's user, for there is nobody else.
 */
export interface BoxUsers {
  kind: 'others' | 'own';
  /** Of the next slot; null: our own. */
  next: () => number | null;
  /** Its slot is gone. */
  giveBack: (user: number | null) => void;
  /** For the launcher: how it gets at these ids. */
  words: readonly string[];
}

const OWN: BoxUsers = { kind: 'own', next: () => null, giveBack: () => undefined, words: [] };

/** @param uidMap text of `/proc/self/uid_map`. @returns whether all ids of a range exist here. */
function covers(uidMap: string, { from, count }: IdRange): boolean {
  return uidMap
    .trim()
    .split('\n')
    .some((line) => {
      const [inside = 0, , length = 0] = line.trim().split(/\s+/).map(Number);
      return inside <= from && from + count <= inside + length;
    });
}

/** Those of root. @throws SandboxUnavailable if there is nobody else to be. */
function rootsUsers(): BoxUsers {
  const uidMap = readFileSync('/proc/self/uid_map', 'utf8');
  const range = [LARGE, SMALL].find((candidate) => covers(uidMap, candidate));
  if (!range)
    throw new SandboxUnavailable(
      'there are too few user ids in this container to run boxes as somebody else than root',
    );
  return { kind: 'others', ...inTurn(range), words: [] };
}

/**
 * None comes again before all others have, and none that a slot still has, for some stay for long. Where it begins is chance: other
 * workers have the same ids.
 */
export function inTurn({ from, count }: IdRange): Pick<BoxUsers, 'next' | 'giveBack'> {
  const used = new Set<number | null>();
  let turn = randomInt(count);
  const next = (): number => {
    let user = from + (turn++ % count);
    while (used.has(user) && used.size < count) user = from + (turn++ % count);
    used.add(user);
    return user;
  };
  return { next, giveBack: (user) => void used.delete(user) };
}

/** Source: subuid(5). @returns the ranges that a file gives to a user, by name or number. */
function rangesOf(text: string, names: readonly string[]): IdRange[] {
  return text.split('\n').flatMap((line) => {
    const [name = '', from = '', count = ''] = line.split(':');
    if (!names.includes(name) || !/^\d+$/.test(from) || !/^\d+$/.test(count.trim())) return [];
    return [{ from: Number(from), count: Number(count) }];
  });
}

/** The largest range of ids that both files give to a user, as users and as groups. */
export function givenIds(subuid: string, subgid: string, names: readonly string[]): IdRange | null {
  const groups = rangesOf(subgid, names);
  const common = rangesOf(subuid, names).flatMap((users) =>
    groups.map((other) => {
      const from = Math.max(users.from, other.from);
      return { from, count: Math.min(users.from + users.count, other.from + other.count) - from };
    }),
  );
  const [largest] = common.sort((one, other) => other.count - one.count);
  return largest && largest.count >= FEWEST_GIVEN ? largest : null;
}

const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** What the launcher needs to use the ids that the system has given to this ordinary user; null: there are none. */
function wordsForGivenIds(): { range: IdRange; words: string[] } | null {
  if (process.getuid?.() === 0 || !MAPPERS.every((path) => existsSync(path))) return null;
  const uid = String(process.getuid?.());
  const range = givenIds(read('/etc/subuid'), read('/etc/subgid'), [uid, nameOf()]);
  if (!range) return null;
  return { range, words: ['--given-ids', String(range.from), String(range.count), ...MAPPERS] };
}

function nameOf(): string {
  try {
    return userInfo().username;
  } catch {
    // It has none, as in many containers.
    return '';
  }
}

/** Those of an ordinary user, tried out: what a container or a service manager forbids is seen in no file. */
async function givenUsers(launcherPath: string, directory: string): Promise<BoxUsers | null> {
  const given = wordsForGivenIds();
  if (!given || (await takeBack(directory, launcherPath)) === 'failed') return null;
  const { range, words } = given;
  return { kind: 'others', ...inTurn(range), words };
}

/**
 * Makes everything in a directory ours that boxes of this ordinary user have left there.
 *
 * @param directory that is ours, and whose own folder nobody else can change
 */
export async function takeBack(
  directory: string,
  launcherPath = defaultLauncherPath(),
): Promise<'taken' | 'nothing' | 'failed'> {
  const given = wordsForGivenIds();
  if (!given) return 'failed';
  const words = ['--worker', String(process.pid), ...given.words, '--take-back', directory];
  const child = spawn(launcherPath, words, { env: {}, cwd: '/', stdio: 'ignore' });
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  if (code === 0) return 'taken';
  return code === 2 ? 'nothing' : 'failed';
}

/** @param directory an empty one, to try things out in. @throws SandboxUnavailable if we are root and there is nobody else to be. */
export async function findBoxUsers(launcherPath: string, directory: string): Promise<BoxUsers> {
  if (process.getuid?.() === 0) return rootsUsers();
  return (await givenUsers(launcherPath, directory)) ?? OWN;
}
