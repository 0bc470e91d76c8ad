import { existsSync } from 'node:fs';

import { RUNTIME_BIN } from './runtimes.js';
import { BOX_UID, NO_DIRECTORY, NO_FILE } from './skeleton.js';

/** The environment of every box, to which a run adds its own. */
export const BASE_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: `${RUNTIME_BIN}:/usr/local/bin:/usr/bin:/bin`,
  HOME: '/tmp',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  USER: 'script',
};

/**
 * Covered in the box's /proc: the one names paths of the host, the other how the box was made, which differs where an interpreter
 * was there before its run. What else is there tells of the machine, and programs read much of it
 * (/proc/cpuinfo, meminfo, stat); `subset=pid` would take all of that from them, and Node would count no processors. Each cover
 * costs every run 0.1 ms, as bubblewrap reads the list of all mounts for it.
 */
const COVERED = ['/proc/cmdline', '/proc/1/cmdline'].flatMap((path) => ['--ro-bind', NO_FILE, path]);

/**
 * Everybody may ask there to be told of a shortage. Each question costs the machine time as long as it stands, and to forget it
 * takes the kernel so long that a box with 100,000 of them needs half a minute to end.
 */
const PRESSURE = '/proc/pressure';
if (existsSync(PRESSURE)) COVERED.push('--ro-bind', NO_DIRECTORY, PRESSURE);

/**
 * The launcher has already made the network, IPC, host name and cgroup namespaces, and put the box's whole file system
 * under /box. Only /proc and what covers a part of it are left to mount.
 */
const FIXED = [
  ...['--unshare-user', '--disable-userns', '--unshare-pid', '--die-with-parent', '--new-session'],
  ...['--cap-drop', 'ALL', '--uid', String(BOX_UID), '--gid', String(BOX_UID)],
  ...['--dev-bind', '/box', '/', '--proc', '/proc', ...COVERED, '--clearenv'],
];

/** A box that stays hides its process 1, into whose memory a program of the same user could write. */
const HIDDEN = ['--ro-bind', NO_DIRECTORY, '/proc/1'];

const terminated = (words: readonly string[]): string => words.map((word) => `${word}\0`).join('');

const prefix = terminated(FIXED);

/**
 * bubblewrap's options for a run, as it reads them with `--args`. They are no command line, because a command line is
 * visible to everybody on the host, and the environment holds secrets.
 *
 * @param directory the command's working directory
 * @param stays whether the box serves several runs
 * @throws TypeError for a name or value that an environment cannot hold.
 */
export function bubblewrapArguments(
  env: Readonly<Record<string, string>>,
  directory = '/app',
  stays = false,
): Buffer {
  let text = prefix + terminated([...(stays ? HIDDEN : []), '--chdir', directory]);
  for (const [name, value] of Object.entries({ ...BASE_ENVIRONMENT, ...env })) {
    if (name === '' || /[=\0]/.test(name))
      throw new TypeError(`${JSON.stringify(name)} cannot name an environment variable`);
    if (value.includes('\0'))
      throw new TypeError(`the environment variable ${name} contains a NUL character`);
    text += terminated(['--setenv', name, value]);
  }
  return Buffer.from(text);
}
