import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';

/** How a program of PostgreSQL is started: as it is, or inside of a box. */
interface Invocation {
  file: string;
  args: string[];
  /** All there is: our own environment holds secrets that the database has no use for. */
  env: Record<string, string>;
  /** What descriptor 3 must deliver, if anything. */
  descriptor3: string | null;
}

export type Confinement = 'none' | 'user-namespace' | 'mounts-then-user-namespace';

const UID = '70';
const PASSWD = `postgres:x:${UID}:${UID}::/:/bin/false\n`;

/**
 * PostgreSQL refuses to be root, and asks the system for its user's name. As an ordinary, named user it runs as it is.
 * Otherwise it runs in a user namespace, where it is an ordinary user and sees only itself and `directories`: nothing is
 * copied or given away, and it also works from within root's home.
 */
export function chooseConfinement(directories: string[]): Confinement {
  if (process.getuid?.() !== 0) return hasName() ? 'none' : 'user-namespace';
  // In the namespace root loses the power to pass other people's closed folders: there the mounts come first.
  return directories.every(openToPlainRoot) ? 'user-namespace' : 'mounts-then-user-namespace';
}

/**
 * @param command absolute path of the program and its arguments
 * @param root the PostgreSQL binaries, readable inside
 * @param writable the one directory that may be written to
 */
export function confine(
  confinement: Confinement,
  command: [string, ...string[]],
  root: string,
  writable: string,
): Invocation {
  const env: Record<string, string> = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  const [file, ...args] = command;
  if (confinement === 'none') return { file, args, env, descriptor3: null };

  // Without /proc the loader cannot tell where a program lies, and so not where its libraries are.
  env['LD_LIBRARY_PATH'] = `${root}/lib`;
  const mounts = [
    ...systemDirectories(),
    ...['--dev', '/dev', '--ro-bind', root, root, '--bind', writable, writable],
    ...['--ro-bind-data', '3', '/etc/passwd', '--chdir', '/'],
  ];
  const bwrap =
    confinement === 'user-namespace'
      ? ['--unshare-user', '--uid', UID, '--gid', UID, '--cap-drop', 'ALL', ...mounts, '--', ...command]
      : // The kernel lets root be mapped only by one who may set file capabilities; `unshare` gives it up at once.
        [
          ...['--cap-drop', 'ALL', '--cap-add', 'CAP_SETFCAP', ...mounts, '--bind', '/proc', '/proc', '--'],
          ...['unshare', '--user', `--map-user=${UID}`, `--map-group=${UID}`, '--', ...command],
        ];
  return { file: 'bwrap', args: bwrap, env, descriptor3: PASSWD };
}

/** What to do, where the output of a confined program says that the box could not be made; otherwise null. */
export function explainConfinementFailure(output: string): string | null {
  const line = output.split('\n').find((text) => /^(bwrap|unshare):/.test(text));
  if (line === undefined) return null;
  return (
    `The embedded PostgreSQL could not be confined (${line.trim()}). It does not run as root, so as root it needs user namespaces: ` +
    'allow them (kernel.unprivileged_userns_clone, user.max_user_namespaces, the container’s seccomp and AppArmor profiles), ' +
    'start Gatehouse as an ordinary user, or set DATABASE_URL to a PostgreSQL server of your own.'
  );
}

function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

/** Whether root without its capabilities could enter `directory`. */
function openToPlainRoot(directory: string): boolean {
  const { uid, gid, mode } = statSync(directory);
  const bit = uid === 0 ? 0o100 : gid === 0 ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  return directory === dirname(directory) || openToPlainRoot(dirname(directory));
}

/** /usr, and what stands beside it: links on most systems today, directories of their own on some. */
function systemDirectories(): string[] {
  const mounts = ['--ro-bind', '/usr', '/usr', '--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache'];
  for (const path of ['/bin', '/lib', '/lib64']) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) mounts.push('--symlink', readlinkSync(path), path);
    else if (found) mounts.push('--ro-bind', path, path);
  }
  return mounts;
}
