import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { makeWheel } from '../python/wheel.mjs';
import { npm } from './child.mjs';
import { ensureDeclarations } from './declarations.mjs';
import { fingerprint, Stamp } from './freshness.mjs';
import { prepare } from './prepare.mjs';
import { Obstacle, root, run } from './project.mjs';

const target = join(root, 'dist', 'packages');
/** Of what is being made, or of one that was killed. */
const aside = join(root, 'dist', 'packages.new');
const stamp = new Stamp(join(root, 'dist', '.packages'));
/** Of the program, and of what is made by `npm pack` itself. */
const FOLDERS = ['.', ...['cli', 'client', 'extension', 'testing'].map((name) => join('libs', name))];
const SOURCES = [
  ...['package.json', join('libs', 'python'), join('libs', 'console', 'dist')],
  ...['src', 'libs', 'docs'].map((name) => join('dist', name)),
  ...FOLDERS.slice(1),
];
/** What npm asks a registry about: all that it installs by. */
const ASKED = [
  ...['name', 'version', 'description', 'license', 'type', 'engines', 'bin', 'exports'],
  ...['dependencies', 'peerDependencies', 'peerDependenciesMeta'],
];

/**
 * `npm run pack`: makes `dist/packages`, from which a service serves the packages of its own version: those of npm, the
 * wheel, and `index.json` with their digests.
 */
export async function makePackages() {
  await prepare({ all: true });
  await ensureDeclarations();
  const state = fingerprint(root, SOURCES, { accept: isSource });
  if (existsSync(target) && stamp.matches(state)) return;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside);
  stamp.clear();
  const files = [...(await packAll(aside)), packWheel(aside)];
  const { version } = manifestIn('.');
  writeFileSync(join(aside, 'index.json'), `${JSON.stringify({ version, files }, null, 2)}\n`);
  rmSync(target, { recursive: true, force: true });
  renameSync(aside, target);
  stamp.write(state);
}

const isSource = (path) => !/^libs\/(cli|client|extension|testing)\/dist\//.test(path);

/** @returns what `index.json` says of each */
async function packAll(directory) {
  const options = ['--pack-destination', directory, '--loglevel=error'];
  const { code, output } = await npm(['pack', ...FOLDERS.map((folder) => `./${folder}`), ...options], {
    quiet: true,
  });
  if (code !== 0) throw new Obstacle(`\`npm pack\` failed:\n${output}`);
  return FOLDERS.map((folder) => {
    const given = manifestIn(folder);
    const name = `${given.name.replace('@', '').replace('/', '-')}-${given.version}.tgz`;
    const bytes = readFileSync(join(directory, name));
    const manifest = Object.fromEntries(
      ASKED.flatMap((field) => (field in given ? [[field, given[field]]] : [])),
    );
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const shasum = createHash('sha1').update(bytes).digest('hex');
    return { ...described(name, bytes), npm: { manifest, integrity, shasum } };
  });
}

function packWheel(directory) {
  const { name, bytes } = makeWheel(manifestIn('.'));
  writeFileSync(join(directory, name), bytes);
  return { ...described(name, bytes), npm: null };
}

const described = (name, bytes) => ({
  name,
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

const manifestIn = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

if (process.argv[1] === import.meta.filename) await run(makePackages);
