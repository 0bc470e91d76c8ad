import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { runAdmin } from '../support/admin.js';
import { CommandLine } from '../support/command-line.js';
import { baseUrl, client, localClient, newWorkspace } from '../support/gatehouse.js';
import { PACKING_MS, onlyFrom, ownNode, pack, type PackedFile } from '../support/packages.js';
import { python } from '../support/scripts.js';

const run = promisify(execFile);
const PYTHON = '/usr/bin/python3';
const NAMES = ['server', 'cli', 'client', 'extension', 'testing'].map((name) => `@gatehouse/${name}`);

let directory: string;
let files: PackedFile[];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-packages-'));
  files = await pack();
}, PACKING_MS);
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

  it('gets the Python client by pip, from the service alone, and does what its page shows', async () => {
    const venv = join(directory, 'python');
    await run(PYTHON, ['-m', 'venv', venv]);
    const pip = (...words: string[]) =>
      run(join(venv, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', ...words]);
    await pip('httpx', 'httpx-sse');
    await pip('--no-index', '--no-cache-dir', `--find-links=${baseUrl()}/packages`, 'gatehouse-client');
    const { owner, slug } = await newWorkspace();
    const script = await python(
      client({ token: owner.token, workspace: slug }),
      'import json, sys\nprint(json.dumps({"words": len(sys.argv[1].split())}))',
      { command: 'python3 main.py {text}' },
    );
    const readme = await readFile(join('libs', 'python', 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/^```python\n([^]*?)^```$/gm)].map(([, text]) => text!);
    const program = blocks.join('\n').replaceAll('"words", {', `"${script.slug}", {`);
    const { stdout } = await run(join(venv, 'bin', 'python'), ['-c', program], {
      env: { GATEHOUSE_URL: baseUrl(), GATEHOUSE_TOKEN: owner.token, GATEHOUSE_WORKSPACE: slug },
    });
    expect(stdout.split('\n')).toEqual([
      "succeeded {'words': 6}",
      '[1, 2]',
      script.slug,
      "b'a,b\\n1,2\\n'",
      'runs',
      '',
    ]);
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

    const { stdout: packed } = await run('npm', ['pack', '--json'], { cwd: folder, env: ownNode });
    const [{ filename, files: inside }] = JSON.parse(packed) as [Json];
    const names = inside.map(({ path }: Json) => path).sort();
    expect(names).toEqual([
      'README.md',
      'dist/hello.extension.d.ts',
      'dist/hello.extension.js',
      'package.json',
    ]);

    // Installed in a folder of its own, with no registry in reach, and loaded from there; and its file by itself.
    const place = await mkdtemp(join(directory, 'place-'));
    await run('npm', [
      'install',
      '--prefix',
      place,
      join(folder, filename),
      ...onlyFrom('http://127.0.0.1:9'),
    ]);
    const admin = (GATEHOUSE_EXTENSIONS: string) =>
      runAdmin(['extensions'], { GATEHOUSE_EXTENSIONS, GATEHOUSE_EXTENSIONS_DIR: place });
    const installed = await admin('gatehouse-hello');
    expect([installed.stderr, installed.stdout]).toEqual(['', 'hello 0.1.0 (gatehouse-hello)\n']);
    const file = join(folder, 'dist', 'hello.extension.js');
    expect((await admin(file)).stdout).toBe(`hello 0.1.0 (${file})\n`);

    // Taken as files, what it says of itself stays what it was.
    const tarballs = files
      .filter(({ npm }) => ['@gatehouse/extension', '@gatehouse/testing'].includes(npm?.manifest.name ?? ''))
      .map(({ path }) => resolve(path));
    const peers = async () =>
      (JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Json).peerDependencies;
    const before = await peers();
    const install = ['install', '--save-dev', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs];
    await run('npm', install, { cwd: folder });
    expect(await peers()).toEqual(before);
    await rm(folder, { recursive: true });
  }, 300_000);

  it('compiles and loads the extension of the first page as that page says', async () => {
    const page = await readFile(join('docs', 'extending', '1-an-approval-action.md'), 'utf8');
    const source = /^```ts title="examples\/deploy-action\/deploy-action.extension.ts"\n([^]*?)^```$/m.exec(
      page,
    )![1]!;
    const [lines] = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, text]) => text!);
    const folder = await mkdtemp(join(directory, 'page-'));
    await writeFile(join(folder, 'deploy-action.extension.mts'), source);
    await run('sh', ['-ec', lines!.replace('https://gatehouse.example.com', baseUrl())], {
      cwd: folder,
      env: ownNode,
    });
    const env = {
      GATEHOUSE_EXTENSIONS: './deploy-action.extension.mjs',
      EXTENSION_DEPLOY_ACTION_SERVICES: 'api,web',
    };
    const { stderr, stdout } = await runAdmin(['extensions'], env, '', folder);
    expect([stderr, stdout]).toEqual(['', 'deploy-action 1.0.0 (./deploy-action.extension.mjs)\n']);
  }, 300_000);
});
