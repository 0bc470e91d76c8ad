import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { HANDLER_DIRECTORY, WARM_DIRECTORY } from './runtimes.js';
import type { Runtimes } from './runtimes.js';

/**
 * Versions with which `warm-python.spec.ts` and `warm-node.spec.ts` have passed. Others start when they are asked for, until they
 * have been tried as well.
 */
const TRIED_PYTHONS = ['3.11'];
const TRIED_NODES = ['20', '22', '24'];

/** What `build-launcher.mjs` makes besides the launcher; null: there is none. */
export function doorBeside(launcherPath: string): string | null {
  const directory = join(dirname(launcherPath), 'door');
  return existsSync(directory) ? directory : null;
}

/** Its program is named after its version; null: it is not, or has not been tried. */
function triedPython({ python }: Runtimes): string | null {
  const version = /python(3\.\d+)$/.exec(
    python !== null && existsSync(python) ? realpathSync(python) : '',
  )?.[1];
  return version !== undefined && TRIED_PYTHONS.includes(version) ? version : null;
}

/** The interpreters of this machine that can wait for a run. The box's Node is the one that runs us. */
export function namesThatWait(runtimes: Runtimes): readonly string[] {
  const [major = ''] = process.versions.node.split('.');
  return [
    ...(triedPython(runtimes) === null ? [] : ['python', 'python3']),
    ...(TRIED_NODES.includes(major) ? ['node'] : []),
  ];
}

/**
 * Puts into the root of every box what interpreters that wait for a run load, and what calls a function of a file: read-only, and
 * the same for all.
 */
export async function writeWarmFiles(box: string, door: string, runtimes: Runtimes): Promise<void> {
  const target = join(box, WARM_DIRECTORY);
  mkdirSync(target, { recursive: true });
  copyReadable(join(door, 'door.so'), join(target, 'door.so'));
  copyReadable(join(door, 'stay.so'), join(target, 'stay.so'));
  copyReadable(join(door, 'node.cjs'), join(target, 'node.cjs'));
  const handlers = join(box, HANDLER_DIRECTORY);
  mkdirSync(handlers, { recursive: true });
  for (const name of ['handler.cjs', 'handler.py']) copyReadable(join(door, name), join(handlers, name));
  const version = triedPython(runtimes);
  if (version === null || runtimes.python === null) return;
  const packages = join(target, 'lib', `python${version}`, 'site-packages');
  mkdirSync(packages, { recursive: true });
  const sources = Object.entries(MODULES).map(([name, module]) => {
    const source = join(packages, module);
    copyReadable(join(door, name), source);
    return source;
  });
  await compile(runtimes.python, sources);
}

/** Of the door, what Python finds under another name. */
const MODULES = { 'python.py': 'usercustomize.py', 'template.py': 'sandbox_template.py' };
const COMPILE = `import py_compile as p, sys
for source in sys.argv[1:]: p.compile(source, invalidation_mode=p.PycInvalidationMode.UNCHECKED_HASH)`;

/** In a box nobody can write the result down, so that each Python would compile the files anew: 2 ms of its 20. */
async function compile(python: string, sources: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(python, ['-I', '-S', '-c', COMPILE, ...sources], { env: {}, timeout: 10_000 });
  } catch {
    // It can be run as it is.
  }
}

function copyReadable(from: string, to: string): void {
  copyFileSync(from, to);
  chmodSync(to, 0o644);
}
