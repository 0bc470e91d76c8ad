import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { succeed } from './command.js';

/** Where the build's secrets are, inside of it. */
const CA_IN_BUILD = '/run/secrets/ca';
/** Of an npmrc: what is about this machine's disk, or about whom it trusts. */
const OF_THIS_DISK = /^\s*(?:cafile|ca|cache|prefix|userconfig|globalconfig|nodedir)\s*=/i;
const PROXIES = ['http_proxy', 'https_proxy', 'no_proxy'].flatMap((name) => [name, name.toUpperCase()]);

/**
 * The machine's own way to its registries, as options of `docker build`: npm's configuration and the authority that vouches for
 * the registry as secrets, and its proxies.
 */
export async function registryOptions(directory: string): Promise<string[]> {
  const { userconfig, globalconfig, registry, cafile } = await npmSettings();
  const ca = [cafile, process.env['NODE_EXTRA_CA_CERTS']].find((path) => path && existsSync(path));
  const files = [globalconfig, userconfig].filter((path) => path && existsSync(path)) as string[];
  const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')));
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => !OF_THIS_DISK.test(line));
  lines.push(`registry=${registry}`, ...(ca ? [`cafile=${CA_IN_BUILD}`] : []));
  const npmrc = join(directory, 'npmrc');
  await writeFile(npmrc, `${lines.join('\n')}\n`, { mode: 0o600 });
  return [
    `--secret=id=npmrc,src=${npmrc}`,
    ...(ca ? [`--secret=id=ca,src=${ca}`] : []),
    ...PROXIES.filter((name) => process.env[name]).map((name) => `--build-arg=${name}=${process.env[name]}`),
  ];
}

/** Installs packages into a folder of their own. */
export async function installPackages(folder: string, packages: readonly string[]): Promise<void> {
  await succeed('npm', [
    ...['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'],
    ...packages,
  ]);
}

async function npmSettings(): Promise<Record<string, string | undefined>> {
  const names = ['userconfig', 'globalconfig', 'registry', 'cafile'];
  const text = await succeed('npm', ['config', 'get', ...names]);
  const settings = Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return name && value && value !== 'null' && value !== 'undefined' ? [[name, value]] : [];
    }),
  );
  return settings as Record<string, string | undefined>;
}
