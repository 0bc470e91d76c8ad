import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { compileInto } from './compiled.js';

export const ORDINARY_UID = 12345;
export const GIVEN_FROM = 3_000_000;

/**
 * In a mount namespace of its own the system knows the user, and has given ids to it or not: the machine's own files stay as
 * they are. Node is in the home: it may stand in a folder that only this process may enter.
 */
const AS_USER = `
set -e
cp -a /etc "$1/etc"
mount --bind "$1/etc" /etc
echo "worker:x:$2:$2::/:/bin/sh" >>/etc/passwd
rm -f /etc/subuid /etc/subgid
[ -z "$3" ] || echo "worker:$3:65536" | tee /etc/subuid >/etc/subgid
mkdir "$1/node"
mount --bind "$(dirname "$(dirname "$4")")" "$1/node"
cd "$1"
exec setpriv --reuid "$2" --regid "$2" --clear-groups "$1/node/bin/$(basename "$4")" main.js
`;

export interface Home {
  path: string;
  /** Runs a module as the ordinary user, with the library in `./lib`. @returns what it printed as JSON */
  run: (script: string) => unknown;
  remove: () => void;
}

/**
 * A home that nobody else may enter, of an ordinary user.
 *
 * @param files by path, with a mode; a path that ends in a slash is a directory
 * @param withGivenIds whether the system has given ids to the user (subuid(5))
 */
export function ordinaryHome(
  files: Record<string, { mode: number; text?: string }>,
  withGivenIds: boolean,
): Home {
  const path = mkdtempSync(join(tmpdir(), 'sandbox-home-'));
  compileInto(join(path, 'lib'));
  writeFileSync(join(path, 'package.json'), '{"type":"module"}');
  for (const [name, { mode, text }] of Object.entries(files)) {
    if (text === undefined) mkdirSync(join(path, name));
    else writeFileSync(join(path, name), text);
    chmodSync(join(path, name), mode);
  }
  for (const name of ['', ...(readdirSync(path, { recursive: true }) as string[])])
    chownSync(join(path, name), ORDINARY_UID, ORDINARY_UID);
  chmodSync(path, 0o700);
  return {
    path,
    run: (script) => {
      writeFileSync(join(path, 'main.js'), script, { mode: 0o644 });
      const words = [path, String(ORDINARY_UID), withGivenIds ? String(GIVEN_FROM) : '', process.execPath];
      const { stdout, stderr, status, signal } = spawnSync(
        'unshare',
        ['--mount', 'sh', '-c', AS_USER, 'sh', ...words],
        { env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', TMPDIR: path }, encoding: 'utf8', timeout: 120_000 },
      );
      for (const made of ['etc', 'node']) rmSync(join(path, made), { recursive: true, force: true });
      if (stderr !== '' || status !== 0)
        throw new Error(`The worker ended with ${signal ?? status}: ${stderr}${stdout}`);
      return JSON.parse(stdout);
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
