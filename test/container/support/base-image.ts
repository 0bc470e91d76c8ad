import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { succeed } from './command.js';
import type { Engine } from './engine.js';
import { installPackages } from './machine-registries.js';

/** What it is called in the engine. */
export const BASE_IMAGE = 'gatehouse-test-base';

const NODE = '24.9.0';
const NPM = '11.6.0';
/** Official images of Debian leave these out, too. */
const NOT_IN_A_SLIM_IMAGE = [
  ...['usr/share/doc', 'usr/share/man', 'usr/share/info', 'usr/share/locale', 'usr/share/lintian'],
  ...['var/lib/apt/lists', 'var/cache/apt'],
];

/**
 * Stands in for the image that ours is built on, where no registry of images can be reached: Debian from apt's own mirror, and
 * Node and npm from npm's registry, in the same places.
 * @returns its name
 */
export async function importBaseImage(engine: Engine, parent: string): Promise<string> {
  const directory = await mkdtemp(join(parent, 'base-'));
  const root = join(directory, 'root');
  const packages = join(directory, 'packages');
  try {
    await Promise.all([
      installDebian(root),
      installPackages(packages, [`node-linux-${process.arch}@${NODE}`, `npm@${NPM}`]),
    ]);
    await addNode(root, join(packages, 'node_modules'));
    const tar = spawn('tar', ['--create', '--directory', root, '.'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await engine.docker(['import', '-', BASE_IMAGE], tar.stdout);
    return BASE_IMAGE;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The release of this machine, from where apt gets it. */
async function installDebian(root: string): Promise<void> {
  const release = /^VERSION_CODENAME=(\w+)$/m.exec(await readFile('/etc/os-release', 'utf8'))?.[1];
  const targets = await succeed('apt-get', [
    ...['indextargets', '--format', '$(CODENAME) $(COMPONENT) $(REPO_URI)', 'Created-By: Packages'],
  ]);
  const mirror = targets
    .split('\n')
    .map((line) => line.split(' '))
    .find(([codename, component]) => codename === release && component === 'main')?.[2];
  if (!release || !mirror) throw new Error(`apt has no mirror of ${release}:\n${targets}`);
  const secure = mirror.startsWith('https:') ? ['--include=ca-certificates'] : [];
  await succeed('debootstrap', ['--variant=minbase', ...secure, release, root, mirror], {
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
  });
  const settings = await succeed('apt-config', ['dump']);
  const ways = settings.split('\n').filter((line) => /^Acquire::https?::/.test(line));
  await writeFile(join(root, 'etc/apt/apt.conf.d/99-as-here'), ways.join('\n'));
  for (const path of NOT_IN_A_SLIM_IMAGE) {
    await rm(join(root, path), { recursive: true, force: true });
    await mkdir(join(root, path), { recursive: true });
  }
}

async function addNode(root: string, packages: string): Promise<void> {
  const local = join(root, 'usr/local');
  await cp(join(packages, `node-linux-${process.arch}/bin/node`), join(local, 'bin/node'));
  await cp(join(packages, 'npm'), join(local, 'lib/node_modules/npm'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
}
