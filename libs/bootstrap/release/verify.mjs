import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { root } from '../project.mjs';
import { startContainer } from './container.mjs';
import { succeed } from './succeed.mjs';

/**
 * Does with a release what somebody does who gets it: each thing installed in an empty place, and a first script run by it.
 * @param {string} directory of its files
 * @param {string} version
 */
export async function verifyRelease(directory, version) {
  const place = await mkdtemp(join(tmpdir(), 'gatehouse-empty-'));
  try {
    await succeed('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: directory });
    await chart(directory, version);
    const gatehouse = await startContainer(directory, version);
    try {
      await billOfMaterials(gatehouse, directory);
      await servesWhatWasMade(gatehouse.url, directory);
      await commandLine(gatehouse, place, version);
      await clients(gatehouse, place);
      await extension(gatehouse, place);
    } finally {
      await gatehouse.remove();
    }
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

async function chart(directory, version) {
  const archive = join(directory, `gatehouse-${version}.tgz`);
  const least = join(root, 'test', 'chart', 'values', 'least.yaml');
  const options = ['--kube-version=1.33.0', `--values=${least}`];
  const rendered = await succeed('helm', ['template', 'gatehouse', archive, ...options]);
  assert.match(rendered, new RegExp(`image: "?registry.example.com/gatehouse:${version}"?`));
  tell('The chart is rendered.');
}

/** Names every package of npm that the image has. */
async function billOfMaterials({ read }, directory) {
  const bill = JSON.parse(readFileSync(join(directory, 'sbom.cdx.json'), 'utf8'));
  assert.equal(bill.bomFormat, 'CycloneDX');
  const named = new Set(bill.components.map(({ purl }) => decodeURIComponent(purl)));
  const { packages } = JSON.parse(await read('/app/node_modules/.package-lock.json'));
  for (const [path, { name, version }] of Object.entries(packages)) {
    const purl = `pkg:npm/${name ?? path.replace(/.*node_modules\//, '')}@${version}`;
    assert.ok(named.has(purl), `${purl} is in the image, and not in its bill of materials`);
  }
  tell('The bill of materials names what the image has.');
}

async function servesWhatWasMade(url, directory) {
  const sums = readFileSync(join(directory, 'SHA256SUMS'), 'utf8').trim().split('\n');
  const packages = sums
    .map((line) => line.split('  '))
    .filter(([, name]) => /^gatehouse[-_]\w+-.*\.(tgz|whl)$/.test(name));
  assert.equal(packages.length, 6);
  for (const [digest, name] of packages) {
    const bytes = Buffer.from(await (await fetch(`${url}/packages/${name}`)).arrayBuffer());
    assert.equal(createHash('sha256').update(bytes).digest('hex'), digest, name);
  }
  tell('The image serves the packages of this release.');
}

/** With its first script, from a template. */
async function commandLine({ url, env }, place, version) {
  await install(url, place, ['@gatehouse/cli']);
  const gatehouse = (args, cwd = place) => succeed(programIn(place), args, { cwd, env });
  assert.match(await gatehouse(['--version']), new RegExp(`^${version}$`, 'm'));
  await gatehouse(['init', 'greeter']);
  await gatehouse(['push', '--publish'], join(place, 'greeter'));
  assert.match(await gatehouse(['run', 'greeter', '--name', 'Ada']), /Hello, Ada!/);
  tell('The command line pushes and runs a script.');
}

async function clients({ url, env }, place) {
  await install(url, place, ['@gatehouse/client']);
  const { GATEHOUSE_WORKSPACE: workspace } = env;
  const options = JSON.stringify({ baseUrl: url, workspace });
  const program = `import { Gatehouse } from '@gatehouse/client';
    const gatehouse = new Gatehouse({ ...${options}, token: process.env.GATEHOUSE_TOKEN });
    console.log((await gatehouse.runs.start('greeter', { name: 'Ada' })).output.greeting);`;
  const node = ['--input-type=module', '--eval', program];
  assert.match(await succeed(process.execPath, node, { cwd: place, env }), /^Hello, Ada!$/m);
  tell('The client runs a script.');

  const packages = join(place, 'python');
  await succeed('/usr/bin/python3', ['-m', 'venv', packages]);
  const pip = join(packages, 'bin', 'pip');
  const quietly = ['--quiet', '--no-cache-dir', '--disable-pip-version-check'];
  await succeed(pip, ['install', ...quietly, 'httpx', 'httpx-sse']);
  await succeed(pip, [
    'install',
    ...quietly,
    '--no-index',
    `--find-links=${url}/packages`,
    'gatehouse-client',
  ]);
  const python = `import os
from gatehouse_client import Gatehouse
gatehouse = Gatehouse("${url}", os.environ["GATEHOUSE_TOKEN"], workspace="${workspace}")
print(gatehouse.run("greeter", {"name": "Ada"})["output"]["greeting"])`;
  const output = await succeed(join(packages, 'bin', 'python'), ['-c', python], { cwd: place, env });
  assert.match(output, /^Hello, Ada!$/m);
  tell('The Python client runs a script.');
}

/** Its test starts the server of the package in its own process, so it needs a Node that the server runs on: ours. */
async function extension({ env: service }, place) {
  const env = { ...service, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
  await succeed(programIn(place), ['init', '--extension', 'hello'], { cwd: place, env });
  const cwd = join(place, 'gatehouse-hello');
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await succeed('npm', install, { cwd, env });
  assert.match(await succeed('npm', ['test'], { cwd, env }), /pass 2\n/);
  tell('An extension is written and tested with the packages.');
}

/** Of that service, and of no other place. */
async function install(url, place, names) {
  const words = ['--registry=http://127.0.0.1:9', '--no-audit', '--no-fund', '--loglevel=error'];
  const registry = `--@gatehouse:registry=${url}/packages/npm`;
  await succeed('npm', ['install', `--prefix=${place}`, ...names, registry, ...words], { cwd: place });
}

const programIn = (place) => join(place, 'node_modules', '.bin', 'gatehouse');

const tell = (text) => console.log(`ok      ${text}`);
