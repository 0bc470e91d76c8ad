import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { CommandLine } from '../support/command-line.js';
import { baseUrl, client, localClient, newWorkspace } from '../support/gatehouse.js';
import { onlyFrom, ownNode, pack, type PackedFile } from '../support/packages.js';
import { python } from '../support/scripts.js';

const run = promisify(execFile);
const PYTHON = '/usr/bin/python3';
const NAMES = ['server', 'cli', 'client', 'extension', 'testing'].map((name) => `@gatehouse/${name}`);

let directory: string;
let files: PackedFile[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-packages-'));
  files = await pack();
}, 300_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

const packument = (name: string) => localClient().get(`/packages/npm/${encodeURIComponent(name)}`);

describe('the registry of a service', () => {
  it('has its five packages, in its own version and with their digests', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as Json;
    for (const name of NAMES) {
      const { body } = await packument(name);
      expect(body).toMatchObject({ name, 'dist-tags': { latest: version } });
      expect(Object.keys(body.versions)).toEqual([version]);
      const { tarball, integrity } = body.versions[version].dist;
      const bytes = Buffer.from(await (await fetch(tarball)).arrayBuffer());
      expect(integrity).toBe(`sha512-${createHash('sha512').update(bytes).digest('base64')}`);
    }
  });

  it.each([
    'gatehouse',
    '@gatehouse/console',
    '@gatehouse/tests',
    '@gatehouse/CLI',
    'express',
    'constructor',
  ])('knows nothing of %s', async (name) => {
    expect(await packument(name)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  });

  it.each(['index.json', '..%2fsrc%2fmain.js', '%2e%2e%2f.program', 'npm'])(
    'gives no other file than a package: %s',
    async (name) => expect((await client().get(`/packages/${name}`)).status).toBe(404),
  );

  it('says nothing again to who has it already', async () => {
    for (const path of ['/packages', '/packages/npm/@gatehouse%2fcli', `/packages/${files[0]!.name}`]) {
      const { headers } = await client().get(path);
      const again = await client({ headers: { 'if-none-match': headers.get('etag')! } }).get(path);
      expect([path, again.status, again.text]).toEqual([path, 304, '']);
    }
  });
});

describe('an empty folder', () => {
  it('gets the command line and the client from the service, with no other registry in reach', async () => {
    const folder = await mkdtemp(join(directory, 'npm-'));
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    const install = ['install', '@gatehouse/cli', '@gatehouse/client', ...onlyFrom(baseUrl())];
    await run('npm', [...install, `--cache=${join(directory, 'cache')}`], { cwd: folder });
    const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as Json;
    for (const name of ['@gatehouse/cli', '@gatehouse/client']) {
      const { npm } = files.find((each) => each.npm?.manifest.name === name)!;
      expect(packages[`node_modules/${name}`].integrity).toBe(npm!.integrity);
    }
    const { stdout } = await run(join(folder, 'node_modules', '.bin', 'gatehouse'), ['--version']);
    expect(stdout.trim()).toBe(packages['node_modules/@gatehouse/cli'].version);
  });

  it('gets the Python client by pip without an index, and runs a script with it', async () => {
    const target = join(directory, 'python');
    const words = ['--quiet', '--disable-pip-version-check', '--no-index', '--no-cache-dir'];
    const source = `--find-links=${baseUrl()}/packages`;
    await run(PYTHON, ['-m', 'pip', 'install', ...words, source, `--target=${target}`, 'gatehouse-client']);
    const { owner, slug } = await newWorkspace();
    const script = await python(
      client({ token: owner.token, workspace: slug }),
      'import json, sys\nprint(json.dumps({"words": len(sys.argv[1].split())}))',
      { command: 'python3 main.py {text}' },
    );
    const readme = await readFile(join('libs', 'python', 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```python\n([^]*?)^```$/gm)].map(([, text]) => text!);
    const program = blocks.join('\n').replace('"words", {', `"${script.slug}", {`);
    const { stdout } = await run(PYTHON, ['-c', program], {
      env: {
        PYTHONPATH: target,
        GATEHOUSE_URL: baseUrl(),
        GATEHOUSE_TOKEN: owner.token,
        GATEHOUSE_WORKSPACE: slug,
      },
    });
    expect(stdout).toBe(`succeeded {'words': 6}\n${script.slug}\n`);
  });

  it('gets what an extension is written and tested with, as `gatehouse init` has set it up', async () => {
    const commandLine = (await CommandLine.build()).with({ GATEHOUSE_URL: baseUrl() });
    expect(await commandLine.run(['init', '--extension', 'hello'])).toMatchObject({ code: 0 });
    const folder = join(commandLine.directory, 'gatehouse-hello');
    expect(await readFile(join(folder, '.npmrc'), 'utf8')).toBe(
      `@gatehouse:registry=${baseUrl()}/packages/npm\n`,
    );
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
    const { stdout } = await run('npm', ['test'], { cwd: folder, env: ownNode, maxBuffer: 2 ** 24 });
    expect(stdout).toMatch(/pass 2\n/);
    await rm(folder, { recursive: true });
  }, 300_000);
});
