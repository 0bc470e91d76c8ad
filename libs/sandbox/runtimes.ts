import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { ReadOnlyBind } from './box.js';

/** Paths inside the box of the interpreters; null where the machine has none. */
export interface Runtimes {
  python: string | null;
  node: string;
  bash: string | null;
}

/** Where the box finds its interpreters, and what of the host has to be mounted for it. */
export interface RuntimePlan {
  runtimes: Runtimes;
  /** Files and directories of the host, besides /usr, which every box has. */
  binds: ReadOnlyBind[];
  /** Links in the box: path → target. */
  links: Record<string, string>;
}

/** First on PATH. */
export const RUNTIME_BIN = '/runtime/bin';
/** What interpreters load that wait for a run. */
export const WARM_DIRECTORY = '/runtime/warm';
/** What calls a function of a file, see {@link callOf}. */
export const HANDLER_DIRECTORY = '/runtime/handler';
const NODE_HOME = '/runtime/node';

/** What of a Node distribution is mounted besides the program: its package managers, and the headers that addons are built with. */
const PACKAGES = { npm: ['npm', 'npx'], corepack: ['corepack'] };
const PROGRAMS: Record<string, string> = {
  npm: 'bin/npm-cli.js',
  npx: 'bin/npx-cli.js',
  corepack: 'dist/corepack.js',
};

function firstExecutable(paths: string[]): string | null {
  return (
    paths.find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }) ?? null
  );
}

/** Of the libraries that this process has loaded, those that lie beside its program, as some distributions have them. */
function librariesIn(prefix: string): string[] {
  const library = /^\S+ r-xp \S+ \S+ \S+ +(\/.*\.so[.\d]*)$/;
  const paths = readFileSync('/proc/self/maps', 'utf8')
    .split('\n')
    .map((line) => library.exec(line)?.[1] ?? '');
  return [...new Set(paths)].filter((path) => path.startsWith(`${prefix}/lib/`));
}

/**
 * The program and what belongs to it, each by itself: the folder that it was installed into may be anybody's, such as
 * `~/.local` or `/opt`, and hold whatever they keep there.
 */
function mountNode(node: string, links: RuntimePlan['links']): ReadOnlyBind[] {
  const binds = [{ source: node, target: `${NODE_HOME}/bin/node` }];
  const prefix = dirname(dirname(node));
  if (basename(dirname(node)) !== 'bin') return binds;
  for (const source of librariesIn(prefix))
    binds.push({ source, target: join(NODE_HOME, relative(prefix, source)) });
  const headers = join(prefix, 'include/node');
  if (existsSync(join(headers, 'node_api.h')))
    binds.push({ source: realpathSync(headers), target: `${NODE_HOME}/include/node` });
  for (const [name, programs] of Object.entries(PACKAGES)) {
    const source = join(prefix, 'lib/node_modules', name);
    if (!existsSync(join(source, 'package.json'))) continue;
    const target = `${NODE_HOME}/lib/node_modules/${name}`;
    binds.push({ source: realpathSync(source), target });
    for (const program of programs) {
      links[`${RUNTIME_BIN}/${program}`] = `${target}/${PROGRAMS[program]}`;
      // Beside node as well, where scripts look for them.
      links[`${NODE_HOME}/bin/${program}`] = `${target}/${PROGRAMS[program]}`;
    }
  }
  return binds;
}

/**
 * The system's python3 and bash, not a version manager's shims; and one node.
 * @param nodePath absolute
 */
export function planRuntimes(nodePath: string): RuntimePlan {
  const python = firstExecutable(['/usr/bin/python3', '/usr/local/bin/python3']);
  const bash = firstExecutable(['/usr/bin/bash', '/bin/bash']);
  const realNode = realpathSync(nodePath);
  const links: RuntimePlan['links'] = {};
  if (python) for (const name of ['python', 'python3']) links[`${RUNTIME_BIN}/${name}`] = python;

  const inUsr = realNode.startsWith('/usr/');
  const binds = inUsr ? [] : mountNode(realNode, links);
  const node = inUsr ? realNode : `${NODE_HOME}/bin/node`;
  links[`${RUNTIME_BIN}/node`] = node;
  return { runtimes: { python, bash, node }, binds, links };
}
