// Compiles the sandbox's launcher. Usage: node libs/sandbox/build-launcher.mjs [directory]
// The result is `<directory>/launcher`, by default in dist/libs/sandbox, and `door` and `addresses.so` beside it; each is made anew
// only when a source has changed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const sources = join(here, 'native');
const doorSources = join(here, 'door');
const staySources = join(here, 'stay');
const addressSources = join(here, 'addresses');
/** A static program starts faster and needs nothing of the host; not every system has the static C library. */
const PROGRAM = [['-static'], []];
const LIBRARY = [['-shared', '-fPIC']];
const COMPILERS = ['cc', 'gcc', 'clang'];
const FLAGS = ['-O2', '-Wall', '-Wextra', '-D_FORTIFY_SOURCE=2', '-fstack-protector-strong'];
const INSTALL = 'apt-get install gcc libc6-dev bubblewrap';

/**
 * @param {string} directory where the launcher is put
 * @returns {string} its path
 * @throws {Error} with the compiler's words, or with what to install
 */
export function buildLauncher(directory = join(here, '../../dist/libs/sandbox')) {
  buildDoor(join(directory, 'door'));
  buildProgram(addressSources, join(directory, 'addresses.so'), "the sandbox's addresses", LIBRARY);
  return buildProgram(sources, join(directory, 'launcher'), "the sandbox's launcher");
}

/** What interpreters load that wait for a run: a library, and the interpreters' own half. */
function buildDoor(directory) {
  buildProgram(doorSources, join(directory, 'door.so'), "the sandbox's door", LIBRARY);
  const shared = ['meet.c', 'door.h'].map((name) => join(doorSources, name));
  buildProgram(staySources, join(directory, 'stay.so'), "the sandbox's door", LIBRARY, shared);
  for (const name of readdirSync(doorSources)) {
    if (name.endsWith('.c')) continue;
    const target = join(directory, name);
    if (existsSync(target) && readFileSync(target).equals(readFileSync(join(doorSources, name)))) continue;
    const aside = `${target}.${process.pid}`;
    copyFileSync(join(doorSources, name), aside);
    renameSync(aside, target);
  }
}

/**
 * Compiles a folder of C into one program, if a source has changed since.
 *
 * @param {string} folder
 * @param {string} target the program's path
 * @param {string} what how it is called in errors
 * @param {string[][]} linkages options of the compiler, the first that work
 * @param {string[]} shared sources of other folders
 * @returns {string} its path
 * @throws {Error} with the compiler's words, or with what to install
 */
export function buildProgram(folder, target, what, linkages = PROGRAM, shared = []) {
  const stamp = `${target}.sha256`;
  const names = readdirSync(folder).sort();
  const sources = [...names.map((name) => join(folder, name)), ...shared];
  const hash = createHash('sha256').update(process.arch);
  for (const path of sources) hash.update(basename(path)).update(readFileSync(path));
  const digest = hash.digest('hex');
  if (existsSync(target) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return target;

  mkdirSync(dirname(target), { recursive: true });
  const files = sources.filter((path) => path.endsWith('.c'));
  const compiler = COMPILERS.find((name) => spawnSync(name, ['--version']).status === 0);
  if (!compiler) throw new Error(`there is no C compiler to build ${what} with: ${INSTALL}`);
  // Written aside first: two workers may start at the same time.
  const aside = `${target}.${process.pid}`;
  let result;
  for (const linkage of linkages) {
    result = spawnSync(compiler, [...FLAGS, ...linkage, '-o', aside, ...files], { encoding: 'utf8' });
    if (result.status === 0) break;
  }
  if (result.status !== 0) {
    throw new Error(`${what} does not compile. Is everything installed (${INSTALL})?\n${result.stderr}`);
  }
  renameSync(aside, target);
  writeFileSync(stamp, digest);
  return target;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    console.log(buildLauncher(process.argv[2] && resolve(process.argv[2])));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
