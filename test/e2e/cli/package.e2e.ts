import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { baseUrl, newWorkspace } from '../../support/gatehouse.js';
import { PACKING_MS, onlyFrom, pack } from '../../support/packages.js';

const run = promisify(execFile);
let directory: string;

/** What somebody gets who installs the package into an empty folder. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-cli-package-'));
  await pack();
  await writeFile(join(directory, 'package.json'), '{ "private": true }');
  await run('npm', ['install', '@gatehouse/cli', ...onlyFrom(baseUrl())], { cwd: directory });
}, PACKING_MS);
afterAll(() => rm(directory, { recursive: true, force: true }));

it('is a program without a dependency', async () => {
  const { stdout } = await run(join(directory, 'node_modules', '.bin', 'gatehouse'), ['--version']);
  const { version } = JSON.parse(await readFile(join('libs', 'cli', 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(stdout).toBe(`${version}\n`);
  const installed = await readdir(join(directory, 'node_modules'));
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['@gatehouse']);
});

it('does what its README shows', async () => {
  const { owner, slug } = await newWorkspace();
  const readme = await readFile(join('libs', 'cli', 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);
  expect(blocks.shift()).toContain('npm install --global @gatehouse/cli --@gatehouse:registry=https:');
  expect(blocks.length).toBeGreaterThan(3);
  const env = {
    PATH: `${join(directory, 'node_modules', '.bin')}:${process.env['PATH']}`,
    XDG_CONFIG_HOME: directory,
    GATEHOUSE_URL: baseUrl(),
    GATEHOUSE_TOKEN: owner.token,
    GATEHOUSE_WORKSPACE: slug,
  };
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', blocks.join('\n')], {
    cwd: directory,
    env,
  });
  for (const part of [
    'Hello, Ada!',
    '"status":"succeeded"',
    'greeter',
    'production',
    'api_key.create',
    'meters',
  ]) {
    expect(stdout).toContain(part);
  }
}, 180_000);
