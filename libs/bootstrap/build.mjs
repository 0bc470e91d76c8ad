import { cpSync, existsSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { runNode } from './node.mjs';
import { fingerprint, listFiles, Stamp } from './freshness.mjs';
import { packagesFingerprint } from './packages.mjs';
import { Obstacle, root } from './project.mjs';
import { GUIDE, isAsset, isProgramSource } from './sources.mjs';

const dist = join(root, 'dist');
const programStamp = new Stamp(join(dist, '.program'));
const launcherStamp = new Stamp(join(dist, '.launcher'));
const COMPILER = join('libs', 'bootstrap', 'compile.mjs');
const SOURCES = ['src', 'libs', GUIDE];

/** What is compiled from C: the script that does it, its folder, and how it is called. */
const NATIVE = [
  ['build-launcher.mjs', 'sandbox', 'The sandbox’s launcher'],
  ['build-starter.mjs', 'egress', 'The gate’s starter'],
];

/** Whether a program made of C is missing or older than its source. */
export function launcherIsStale() {
  return !launcherStamp.matches(launcherFingerprint());
}

/** Compiles what is written in C if it is stale. */
export async function ensureLauncher() {
  if (!launcherIsStale()) return;
  for (const [script, library, name] of NATIVE) {
    const { code, output } = await runNode(join('libs', library, script), [join('dist', 'libs', library)], {
      quiet: true,
    });
    if (code !== 0) throw new Obstacle(`${name} could not be built:\n${output}`);
  }
  launcherStamp.write(launcherFingerprint());
}

/** Makes JavaScript of the program's TypeScript if it is stale. */
export async function ensureProgram() {
  const state = programFingerprint();
  const complete = existsSync(join(dist, 'src', 'main.js'));
  if (complete && programStamp.matches(state)) return;
  console.log('Building …');
  programStamp.clear();
  const { code } = await runNode(COMPILER, []);
  if (code !== 0) throw new Obstacle('The build failed; see above.');
  removeOrphans();
  copyAssets();
  programStamp.write(state);
}

/** Changes when a source of the program does. */
export function programFingerprint() {
  const accept = (path) => path === COMPILER || isProgramSource(path);
  return fingerprint(root, SOURCES, { accept, salt: packagesFingerprint() });
}

/** Of its source and of what was made of it: everything beside the compiled TypeScript. */
function launcherFingerprint() {
  const folders = NATIVE.flatMap(([, library]) => [join('libs', library), join('dist', 'libs', library)]);
  return fingerprint(root, folders, {
    accept: (path) => !/\.(ts|js|js\.map)$/.test(path),
    salt: process.arch,
  });
}

/** What was compiled from a source that is gone would still be loaded: a migration, for one. */
function removeOrphans() {
  for (const path of listFiles(dist, ['src', 'libs'])) {
    const source = /^(.*)(?:\.js|\.js\.map|\.d\.ts)$/.exec(path)?.[1];
    if (source === undefined || isAsset(path)) continue;
    if (!existsSync(join(root, `${source}.ts`))) rmSync(join(dist, path), { force: true });
  }
}

/** Files that are read, not imported: those in directories named `assets`, and the guide. */
function copyAssets() {
  const directories = new Set([GUIDE, ...listFiles(root, ['src']).filter(isAsset).map(assetsDirectory)]);
  for (const directory of directories) {
    rmSync(join(dist, directory), { recursive: true, force: true });
    cpSync(join(root, directory), join(dist, directory), { recursive: true });
  }
}

function assetsDirectory(path) {
  let directory = dirname(path);
  while (basename(directory) !== 'assets') directory = dirname(directory);
  return directory;
}
