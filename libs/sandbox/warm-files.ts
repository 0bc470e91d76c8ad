import { chmodSync, copyFileSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { WARM_DIRECTORY } from './runtimes.js';
import type { Runtimes } from './runtimes.js';

/** What `build-launcher.mjs` makes besides the launcher; null: there is none. */
export function doorBeside(launcherPath: string): string | null {
  const directory = join(dirname(launcherPath), 'door');
  return existsSync(directory) ? directory : null;
}

/**
 * Puts into the root of every box what interpreters that wait for a run load: read-only, the same for all, and of no use to
 * anybody else.
 */
export function writeWarmFiles(box: string, door: string, { python }: Runtimes): void {
  const target = join(box, WARM_DIRECTORY);
  mkdirSync(target, { recursive: true });
  copyReadable(join(door, 'door.so'), join(target, 'door.so'));
  copyReadable(join(door, 'node.cjs'), join(target, 'node.cjs'));
  // Python has a folder for each of its versions, and names its program after it.
  const version = /python(3\.\d+)$/.exec(python === null || !existsSync(python) ? '' : realpathSync(python));
  if (!version) return;
  const packages = join(target, 'lib', `python${version[1]}`, 'site-packages');
  mkdirSync(packages, { recursive: true });
  copyReadable(join(door, 'python.py'), join(packages, 'usercustomize.py'));
}

function copyReadable(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, 0o644);
}
