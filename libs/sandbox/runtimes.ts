import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Paths inside the box of the interpreters; null where the machine has none. */
export interface Runtimes {
  python: string | null;
  node: string;
  bash: string | null;
}

/** Where the box finds its interpreters, and what of the host has to be mounted for it. */
export interface RuntimePlan {
  runtimes: Runtimes;
  /** A host file or directory that becomes /runtime/node, or null: node lies in /usr, which every box has. */
  nodeSource: string | null;
  /** Links in /runtime/bin, first on PATH: name → target. */
  links: Record<string, string>;
}

export const RUNTIME_BIN = '/runtime/bin';

/** A Node distribution is mounted as a whole, for npm; anything else as the one file that it is. */
function isDistribution(prefix: string): boolean {
  return existsSync(join(prefix, 'include/node')) && existsSync(join(prefix, 'lib/node_modules/npm'));
}

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

/**
 * The system's python3 and bash, not a version manager's shims; and the very node that runs us.
 * @param nodePath `process.execPath`.
 */
export function planRuntimes(nodePath: string): RuntimePlan {
  const python = firstExecutable(['/usr/bin/python3', '/usr/local/bin/python3']);
  const bash = firstExecutable(['/usr/bin/bash', '/bin/bash']);
  const realNode = realpathSync(nodePath);
  const links: Record<string, string> = {};
  if (python) Object.assign(links, { python, python3: python });

  if (realNode.startsWith('/usr/')) {
    links['node'] = realNode;
    return { runtimes: { python, bash, node: realNode }, nodeSource: null, links };
  }
  const prefix = dirname(dirname(realNode));
  if (basename(dirname(realNode)) === 'bin' && isDistribution(prefix)) {
    for (const tool of ['node', 'npm', 'npx']) links[tool] = `/runtime/node/bin/${tool}`;
    return { runtimes: { python, bash, node: '/runtime/node/bin/node' }, nodeSource: prefix, links };
  }
  links['node'] = '/runtime/node';
  return { runtimes: { python, bash, node: '/runtime/node' }, nodeSource: realNode, links };
}
