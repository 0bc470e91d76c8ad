import { posix } from 'node:path';
import { InvalidInput } from '../invalid-input/index.js';
import { nonEmptyObject, parsePackageJson, type PackageJson } from './package-json.js';
import { parseCommand } from './parse-command.js';
import { literalText, quoteArgument } from './quote-argument.js';

const SCRIPT_NAMES = ['index.js', 'index.mjs', 'index.ts', 'main.js', 'main.mjs', 'main.ts'];
/** What only a shell gives a meaning to; npm would hand such a `scripts.start` to `sh -c`. */
const SHELL_SYNTAX = /[|&;<>()$`*?#~!\n\r]|^\s*[A-Za-z_]\w*=/;
export const MAX_COMMAND_LENGTH = 2000;

export interface Folder {
  /** Paths of the folder's files, relative to it. */
  files: readonly string[];
  /** The text of package.json, where there is one. */
  packageJson?: string | undefined;
  /** The version of Node that runs scripts, such as `20.20.2`: it decides whether a `.ts` file can be run. */
  nodeVersion: string;
}

/**
 * Works out the command of a folder for which none was given, in the order that the docs promise. null: there is nothing that
 * it knows.
 *
 * @throws InvalidInput at `command` where what was found cannot be run, saying why
 */
export function detectCommand(folder: Folder): string | null {
  const command =
    pythonCommand(folder) ?? packageCommand(folder) ?? nodeCommand(folder) ?? shellCommand(folder);
  if (command !== null && command.length > MAX_COMMAND_LENGTH) {
    refuse(
      `the command in package.json scripts.start is longer than ${MAX_COMMAND_LENGTH} characters; put it into a file`,
    );
  }
  return command;
}

/**
 * Says what was looked for, and what to add.
 *
 * @param further what others looked for, in a sentence each
 * @throws InvalidInput at `command`
 */
export function refuseWithoutCommand(folder: Folder, further: readonly string[] = []): never {
  return refuse(explain(folder, further));
}

function pythonCommand({ files }: Folder): string | null {
  const named = ['main.py', 'app.py'].find((name) => files.includes(name));
  const scripts = pythonFiles(files);
  const file = named ?? (scripts.length === 1 ? scripts[0] : undefined);
  return file === undefined ? null : `python ${fileArgument(file)}`;
}

function packageCommand(folder: Folder): string | null {
  if (folder.packageJson === undefined) return null;
  const manifest = parsePackageJson(folder.packageJson);
  return startCommand(manifest) ?? mainCommand(manifest, folder);
}

function startCommand(manifest: PackageJson): string | null {
  const start = nonEmptyObject(manifest, 'scripts')?.['start'];
  if (typeof start !== 'string' || start.trim() === '') return null;
  const command = SHELL_SYNTAX.test(start) ? `sh -c ${quoteArgument(start)}` : literalText(start.trim());
  try {
    parseCommand(command);
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    refuse(`scripts.start in package.json cannot be used (${error.message}); correct it or give "command"`);
  }
  return command;
}

function mainCommand(manifest: PackageJson, folder: Folder): string | null {
  const main = manifest['main'];
  if (typeof main !== 'string' || main === '') return null;
  const path = posix.normalize(main).replace(/\/$/, '');
  const file = [path, `${path}.js`, posix.join(path, 'index.js')].find((name) => folder.files.includes(name));
  // `npm init` writes a `main` whether the file exists or not: a missing one is not an error yet.
  return file === undefined ? null : node(file, folder.nodeVersion);
}

function nodeCommand({ files, nodeVersion }: Folder): string | null {
  const file = SCRIPT_NAMES.find((name) => files.includes(name));
  return file === undefined ? null : node(file, nodeVersion);
}

function shellCommand({ files }: Folder): string | null {
  const file = ['run.sh', 'main.sh'].find((name) => files.includes(name));
  return file === undefined ? null : `bash ${file}`;
}

/** Node runs TypeScript by stripping types: behind a flag from 22.6, by itself from 22.18 and 23.6. */
function node(file: string, version: string): string {
  const argument = fileArgument(file);
  if (!/\.[cm]?ts$/.test(file)) return `node ${argument}`;
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  if (major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18)) return `node ${argument}`;
  if (major === 23 || (major === 22 && minor >= 6)) return `node --experimental-strip-types ${argument}`;
  return refuse(
    `${JSON.stringify(file)} is TypeScript, which Node ${version.replace(/^v/, '')} here cannot run (it takes 22.6 or later); send compiled JavaScript, such as ${file.replace(/ts$/, 'js')}, or give "command"`,
  );
}

/** A file's name must not be taken for an option. */
function fileArgument(file: string): string {
  return quoteArgument(file.startsWith('-') ? `./${file}` : file);
}

function pythonFiles(files: readonly string[]): string[] {
  return files.filter((file) => file.endsWith('.py') && !file.includes('/'));
}

function explain({ files, packageJson }: Folder, further: readonly string[]): string {
  const several = pythonFiles(files);
  const found = [
    several.length > 1 ? `There are ${several.length} *.py files, and none is called main.py or app.py.` : '',
    packageJson === undefined ? '' : 'package.json has no scripts.start, and its main names no file here.',
    several.length === 0 && files.length > 0 && files.every((file) => file.includes('/'))
      ? `All files lie in subfolders (such as ${JSON.stringify(files[0])}).`
      : '',
  ];
  return [
    'no command was given and none could be worked out. Looked for main.py, app.py, a lone *.py, package.json (scripts.start, main),',
    'index.js|mjs|ts, main.js|mjs|ts, run.sh and main.sh at the top of the folder.',
    ...further,
    ...found.filter(Boolean),
    'Add one of them, or say what to run in "command", for example "python report.py --city {city}"',
  ].join(' ');
}

function refuse(message: string): never {
  throw InvalidInput.at('command', message);
}
