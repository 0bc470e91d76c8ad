import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ExtensionProblem } from './extension-problem.js';
import { fromDirectory } from './host-packages.js';

/** `acme.mjs` and `acme.extension.js` are both `acme`. */
const FILE_ENDING = /(?:\.extension)?\.[cm]?[jt]s$/;

/** Where an extension is, as `GATEHOUSE_EXTENSIONS` names it. */
export interface ExtensionPlace {
  reference: string;
  /** What is imported. */
  specifier: string;
  /** Whose modules get their packages from this program. */
  directory: string;
  /** What it is called where it does not say so itself. */
  name: string;
  /** As its package says; null where it has none. */
  version: string | null;
}

interface Manifest {
  name?: string;
  version?: string;
}

/**
 * Finds a file, relative to `directory`, or an installed package.
 *
 * @throws ExtensionProblem where there is none
 */
export function placeOf(reference: string, directory: string): ExtensionPlace {
  return /^\.{1,2}\/|^file:/.test(reference) || isAbsolute(reference)
    ? fileAt(reference, directory)
    : packageCalled(reference, directory);
}

function fileAt(reference: string, directory: string): ExtensionPlace {
  const path = resolve(directory, reference.replace(/^file:(\/\/)?/, ''));
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new ExtensionProblem(reference, `there is no file ${path}.`);
  if (!found.isFile()) throw new ExtensionProblem(reference, `${path} is a directory; name the file in it.`);
  const file = realpathSync(path);
  const name = basename(file).replace(FILE_ENDING, '');
  const specifier = pathToFileURL(file).href;
  const version = manifestAbove(dirname(file))?.version ?? null;
  return { reference, specifier, directory: dirname(file), name, version };
}

function packageCalled(reference: string, directory: string): ExtensionPlace {
  const folder = nodeModulesAbove(directory)
    .map((modules) => join(modules, reference))
    .find((candidate) => existsSync(join(candidate, 'package.json')));
  if (folder === undefined) {
    throw new ExtensionProblem(reference, `no package of that name is installed for ${directory}.`);
  }
  const { version = null } = read(join(folder, 'package.json'));
  const name = basename(reference).replace(/^gatehouse-/, '');
  return {
    reference,
    specifier: fromDirectory(reference, directory),
    directory: realpathSync(folder),
    name,
    version,
  };
}

function nodeModulesAbove(directory: string): string[] {
  const here = join(directory, 'node_modules');
  const parent = dirname(directory);
  return parent === directory ? [here] : [here, ...nodeModulesAbove(parent)];
}

/** That of the nearest directory that has one. */
function manifestAbove(directory: string): Manifest | null {
  const path = join(directory, 'package.json');
  if (existsSync(path)) return read(path);
  const parent = dirname(directory);
  return parent === directory ? null : manifestAbove(parent);
}

function read(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}
