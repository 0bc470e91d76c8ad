import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { runProgram } from './child.mjs';
import { Obstacle } from './project.mjs';

const onPath = (name) =>
  (process.env.PATH ?? '').split(':').some((dir) => dir && existsSync(join(dir, name)));

const systemPython = () => ['/usr/bin/python3', '/usr/local/bin/python3'].find((path) => existsSync(path));

function pythonHasPip() {
  const python = systemPython();
  const look = 'import importlib.util, sys; sys.exit(importlib.util.find_spec("pip") is None)';
  return python !== undefined && spawnSync(python, ['-c', look], { stdio: 'ignore' }).status === 0;
}

/** What the sandbox is made of, and what it runs; `building` marks what only the building of its launcher needs. */
const TOOLS = [
  { present: () => onPath('bwrap'), apt: ['bubblewrap'], rpm: ['bubblewrap'] },
  // A shim on the PATH is of no use inside of the sandbox, which sees the system's directories.
  {
    present: () => systemPython() !== undefined,
    apt: ['python3'],
    rpm: ['python3'],
  },
  // With it the workers install what scripts depend on. Debian has it apart from Python.
  { present: pythonHasPip, apt: ['python3-pip'], rpm: ['python3-pip'] },
  { present: () => onPath('cc'), apt: ['gcc'], rpm: ['gcc'], building: true },
  {
    present: () => existsSync('/usr/include/stdio.h'),
    apt: ['libc6-dev'],
    rpm: ['glibc-devel', 'glibc-static'],
    building: true,
  },
];

/**
 * Makes sure of the sandbox's tools: as root on Debian and Ubuntu by installing them, elsewhere by saying how to.
 * @param {{ building: boolean }} options whether the launcher is to be built
 * @returns {Promise<void>} resolves once they are installed
 * @throws {Obstacle} at once, so that nothing else is begun, where they cannot be installed from here
 */
export function ensureSystemTools({ building }) {
  const missing = missingTools({ building });
  if (missing.length === 0) return Promise.resolve();
  if (process.getuid() !== 0 || !onPath('apt-get')) {
    throw new Obstacle(
      `The sandbox needs programs that are not installed. Run this once, then start again:\n\n  ${command(missing)}`,
    );
  }
  return install(missing, { building });
}

async function install(missing, { building }) {
  const packages = missing.flatMap((tool) => tool.apt);
  console.log(`Installing what the sandbox needs: apt-get install ${packages.join(' ')} …`);
  const options = ['-qq', '-y', '-o', 'DPkg::Lock::Timeout=120'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args) => runProgram('apt-get', [...options, ...args], { env, quiet: true });
  const installPackages = () => apt('install', '--no-install-recommends', ...packages);
  let result = await installPackages();
  if (result.code !== 0) {
    // Package lists are missing in fresh images, and old ones name files that are gone.
    const update = await apt('update');
    result = await installPackages();
    if (result.code !== 0) result.output = `${update.output}\n${result.output}`;
  }
  if (result.code !== 0 || missingTools({ building }).length > 0) {
    throw new Obstacle(
      `${result.output.trim()}\n\nThat did not work. Run this once, then start again:\n\n  ${command(missing)}`,
    );
  }
}

function missingTools({ building }) {
  return TOOLS.filter((tool) => (building || !tool.building) && !tool.present());
}

function command(missing) {
  const sudo = process.getuid() === 0 ? '' : 'sudo ';
  const apt = missing.flatMap((tool) => tool.apt).join(' ');
  if (onPath('apt-get')) return `${sudo}apt-get update && ${sudo}apt-get install -y ${apt}`;
  if (onPath('dnf')) return `${sudo}dnf install -y ${missing.flatMap((tool) => tool.rpm).join(' ')}`;
  return `(with your system's package manager: what Debian calls ${apt})`;
}
