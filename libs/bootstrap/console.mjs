import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { runNode } from './node.mjs';
import { fingerprint, Stamp } from './freshness.mjs';
import { ensurePackages, packagesFingerprint } from './packages.mjs';
import { Obstacle, root } from './project.mjs';

const directory = join('libs', 'console');
const dist = join(root, directory, 'dist');
/** Where it is built, so that a service which is looking for it finds all of it. */
const unfinished = join(root, 'dist', 'console');
const stamp = new Stamp(join(root, 'dist', '.console'));
const SOURCES = [
  ...[
    'src',
    'public',
    'index.html',
    'sign-in.html',
    'package.json',
    'vite.config.ts',
    'compressed.ts',
    'icons.ts',
  ].map((path) => join(directory, path)),
  join('libs', 'client', 'src'),
];

export function consoleIsMissing() {
  return !existsSync(join(dist, 'index.html'));
}

/** Builds the console if it is missing or older than its sources. */
export async function ensureConsole() {
  const state = fingerprint(root, SOURCES, {
    accept: (path) => !/\.spec\.tsx?$/.test(path),
    salt: packagesFingerprint(),
  });
  if (!consoleIsMissing() && stamp.matches(state)) return;
  await ensurePackages({ console: true });
  console.log('Building the console …');
  stamp.clear();
  const { code, output } = await runNode(
    join('node_modules', 'vite', 'bin', 'vite.js'),
    ['build', directory, '--outDir', unfinished, '--emptyOutDir', '--logLevel', 'warn'],
    { quiet: true },
  );
  if (code !== 0) throw new Obstacle(`The console could not be built:\n${output}`);
  rmSync(dist, { recursive: true, force: true });
  renameSync(unfinished, dist);
  stamp.write(state);
}
