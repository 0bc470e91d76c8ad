import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { runNode } from './node.mjs';
import { fingerprint, Stamp } from './freshness.mjs';
import { packagesFingerprint } from './packages.mjs';
import { Obstacle, root } from './project.mjs';

const directory = join('libs', 'console');
const dist = join(root, directory, 'dist');
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

/** Builds the console if it is missing or older than its sources. */
export async function ensureConsole() {
  const state = fingerprint(root, SOURCES, {
    accept: (path) => !/\.spec\.tsx?$/.test(path),
    salt: packagesFingerprint(),
  });
  if (existsSync(join(dist, 'index.html')) && stamp.matches(state)) return;
  console.log('Building the console …');
  stamp.clear();
  const { code, output } = await runNode(
    join('node_modules', 'vite', 'bin', 'vite.js'),
    ['build', directory, '--logLevel', 'warn'],
    { quiet: true },
  );
  if (code !== 0) throw new Obstacle(`The console could not be built:\n${output}`);
  stamp.write(state);
}
