import { beforeAll, describe, expect, it } from 'vitest';

import type { Answer, Client, Json, TestWorkspace } from '../../libs/testing/index.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { whyNoRegistries } from '../support/registry-reach.js';
import { archiveOf, finished, newSlug, run, runUntil } from '../support/scripts.js';

const MINUTES = 5 * 60_000;
const noRegistries = await whyNoRegistries();

let ws: TestWorkspace;
let api: Client;

beforeAll(async () => {
  ws = await newWorkspace();
  api = client({ token: ws.owner.token, workspace: ws.slug });
});

async function newScript(by = api): Promise<string> {
  const slug = newSlug();
  expect((await by.post('/v1/scripts', { slug, name: slug })).status).toBe(201);
  return slug;
}

async function upload(
  slug: string,
  files: Record<string, string>,
  fields: Record<string, unknown> = {},
  by = api,
): Promise<Answer> {
  return by.post(`/v1/scripts/${slug}/versions`, { archive: await archiveOf(files), ...fields });
}

/** Installs, publishes, runs once. */
async function installAndRun(
  files: Record<string, string>,
  fields: Record<string, unknown> = {},
): Promise<{ version: Json; run: Json }> {
  const slug = await newScript();
  const version = await upload(slug, files, fields);
  expect(version.status, version.text).toBe(201);
  expect((await api.post(`/v1/scripts/${slug}/publish`, { version: 1 })).status).toBe(200);
  const started = await run(api, { slug, id: '' });
  return { version: version.body, run: await runUntil(api, started.body['id'] as string, finished) };
}

describe.skipIf(noRegistries !== null)('installing real packages', () => {
  it(
    'gives Python what requirements.txt lists',
    async () => {
      const main = 'import requests, json; print(json.dumps({"file": requests.__file__}))';
      const files = { 'main.py': main, 'requirements.txt': 'requests\n' };
      const { version, run: done } = await installAndRun(files);
      expect(version).toMatchObject({ number: 1, build: null });
      expect(version['buildLog']).toContain('Successfully installed');
      expect(version['archiveBytes']).toBeGreaterThan(100_000);
      expect(done).toMatchObject({
        status: 'succeeded',
        output: { file: '/app/.deps/requests/__init__.py' },
      });
    },
    MINUTES,
  );

  it(
    'installs the same dependencies once, for any archive of the workspace',
    async () => {
      const slug = await newScript();
      const first = await upload(slug, { 'main.py': 'print(1)', 'requirements.txt': 'requests\n' });
      expect(first.status, first.text).toBe(201);
      const begin = Date.now();
      const second = await upload(slug, { 'main.py': 'print(2)', 'requirements.txt': 'requests\n' });
      console.log(`A second version with the same dependencies took ${Date.now() - begin} ms.`);
      expect(second.body).toMatchObject({ number: 2, buildLog: first.body['buildLog'] });
      const builds = await database().query('SELECT id FROM builds WHERE workspace_id = $1', [ws.id]);
      const versions = await database().query(
        'SELECT DISTINCT v.deps_key FROM script_versions v JOIN scripts s ON s.id = v.script_id WHERE s.slug = $1',
        [slug],
      );
      expect(versions.rows).toHaveLength(1);

      const other = await newWorkspace();
      const theirs = client({ token: other.owner.token, workspace: other.slug });
      const files = { 'main.py': 'print(1)', 'requirements.txt': 'requests\n' };
      expect((await upload(await newScript(theirs), files, {}, theirs)).status).toBe(201);
      const others = await database().query('SELECT id FROM builds WHERE workspace_id = $1', [other.id]);
      expect(others.rows).toHaveLength(1);
      expect(builds.rows).not.toContainEqual(others.rows[0]);
    },
    MINUTES,
  );

  it(
    'installs native wheels',
    async () => {
      const main = 'import json, markupsafe._speedups as native; print(json.dumps(native.__file__))';
      const { run: done } = await installAndRun({ 'main.py': main, 'requirements.txt': 'markupsafe' });
      expect(done).toMatchObject({ status: 'succeeded', output: expect.stringMatching(/\.so$/) });
    },
    MINUTES,
  );

  it(
    'installs workspaces of npm',
    async () => {
      const { run: done } = await installAndRun({
        'package.json': '{"name":"root","private":true,"workspaces":["packages/*"]}',
        'packages/lib/package.json':
          '{"name":"@x/lib","version":"1.0.0","main":"index.js","dependencies":{"ms":"2.1.3"}}',
        'packages/lib/index.js': "module.exports = require('ms');",
        'main.js': "console.log(require('@x/lib')('2d'));",
      });
      expect(done).toMatchObject({ status: 'succeeded', output: 172_800_000 });
    },
    MINUTES,
  );

  it(
    'installs a package with its modules in src',
    async () => {
      const { run: done } = await installAndRun({
        'pyproject.toml':
          '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n[project]\nname = "mypkg"\nversion = "1"\ndependencies = []\n',
        'src/mypkg/__init__.py': 'def hello():\n    return "hello"\n',
        'main.py': 'import mypkg\nprint(mypkg.hello())',
      });
      expect(done).toMatchObject({ status: 'succeeded', output: 'hello' });
    },
    MINUTES,
  );

  it(
    'installs the group main of pyproject.toml, with those that it includes',
    async () => {
      const { run: done } = await installAndRun({
        'pyproject.toml':
          '[dependency-groups]\nmain = ["six==1.16.0", {include-group = "more"}]\nmore = ["idna"]\ndev = ["no-such-package-at-all"]\n',
        'main.py': 'import six, idna\nprint(six.__version__)',
      });
      expect(done).toMatchObject({ status: 'succeeded', output: '1.16.0' });
    },
    MINUTES,
  );

  it(
    'names the lock files that it does not use',
    async () => {
      const { version } = await installAndRun({
        'package.json': '{"name":"x","version":"1.0.0","dependencies":{"ms":"^2.0.0"}}',
        'yarn.lock': '# yarn lockfile v1\n',
        'main.js': "console.log(require('ms')('2d'));",
      });
      expect(version['buildLog']).toMatch(/^yarn.lock is not used.*npm install --package-lock-only/);
      expect(version['buildLog']).toMatch(/added \d+ package/);
    },
    MINUTES,
  );

  it(
    'reads pyproject.toml',
    async () => {
      const pyproject = "[project]\nname = 'a'\nversion = '1'\ndependencies = ['idna>=3']\n";
      const files = { 'main.py': 'import idna; print(1)', 'b.py': '', 'pyproject.toml': pyproject };
      const { run: done } = await installAndRun(files);
      expect(done).toMatchObject({ status: 'succeeded', output: 1 });
    },
    MINUTES,
  );

  it(
    'gives Node what package.json lists, a program among it',
    async () => {
      const manifest = { main: 'main.js', dependencies: { 'is-odd': '3.0.1', esbuild: '^0.25.0' } };
      const main = `const odd = require('is-odd');
        const { code } = require('esbuild').transformSync('let a: number = 1', { loader: 'ts' });
        const version = require('child_process').execFileSync('esbuild', ['--version']).toString().trim();
        console.log(JSON.stringify({ odd: odd(3), code, program: version === require('esbuild').version }));`;
      const { version, run: done } = await installAndRun({
        'main.js': main,
        'package.json': JSON.stringify(manifest),
      });
      expect(version['buildLog']).toMatch(/added \d+ packages/);
      expect(done).toMatchObject({
        status: 'succeeded',
        output: { odd: true, code: 'let a = 1;\n', program: true },
      });
    },
    MINUTES,
  );

  it(
    'runs a build command in the folder instead',
    async () => {
      const build =
        'pip3 --version\npython3 -m pip install -q --target lib six\nrm unwanted.txt\necho "print(3)" > made.py';
      const files = { 'main.py': 'import sys; sys.path.append("lib"); import six, made', 'unwanted.txt': '' };
      const { version, run: done } = await installAndRun(files, { build, command: 'python main.py' });
      expect(version).toMatchObject({ build });
      expect(done).toMatchObject({ status: 'succeeded', output: 3 });
    },
    MINUTES,
  );

  it(
    'answers 400 with the end of what was printed, and makes nothing',
    async () => {
      const slug = await newScript();
      const files = { 'main.py': '', 'requirements.txt': 'requests==0.0.0.1\n' };
      const { status, body } = await upload(slug, files);
      expect(status).toBe(400);
      expect(body).toMatchObject({
        error: {
          code: 'invalid_request',
          message: 'archive: installation failed (exit code 1)',
          details: [{ path: 'archive', message: expect.stringContaining('No matching distribution found') }],
        },
      });
      expect((await api.get(`/v1/scripts/${slug}/versions`)).body).toMatchObject({ items: [] });
      // Tried anew, and the number was not used up.
      expect((await upload(slug, files)).status).toBe(400);
      expect((await upload(slug, { 'main.py': '' })).body).toMatchObject({ number: 1 });
    },
    MINUTES,
  );
});

it('names lists that nothing is installed by', async () => {
  const slug = await newScript();
  const { body } = await upload(slug, { 'main.py': 'print(1)', Pipfile: '[packages]\nsix = "*"\n' });
  expect(body['buildLog']).toMatch(/^Pipfile is not used/);
});

describe('a build command', () => {
  it('reaches nothing but the registries', async () => {
    const probe = `import urllib.request, urllib.error, socket, json
for url in ("https://example.com/", "https://127.0.0.1/"):
    try: print(urllib.request.urlopen(url, timeout=30).status)
    except Exception as error: print(url, type(error).__name__, getattr(error, "code", ""))
for address in (("1.1.1.1", 443), ("127.0.0.1", 5432)):
    try: socket.create_connection(address, 2); print("OPEN", address)
    except OSError as error: print("closed", address)
`;
    const slug = await newScript();
    const { status, body } = await upload(
      slug,
      { 'main.py': '', 'probe.py': probe },
      { build: 'python3 probe.py' },
    );
    expect(status).toBe(201);
    const log = body['buildLog'] as string;
    expect(log).toContain('https://example.com/ HTTPError 403');
    expect(log.match(/^closed/gm)).toHaveLength(2);
    expect(log).not.toMatch(/OPEN|^200$/m);
  });

  it('sees neither the worker nor its environment', async () => {
    const slug = await newScript();
    const build = 'env; cat /inputs/*; ls /; ls /app -A';
    const { body } = await upload(slug, { 'main.py': '' }, { build });
    expect(body['buildLog']).not.toMatch(/GATEHOUSE|DATABASE_URL|main\.js/);
  });

  it('fails with what it printed', async () => {
    const slug = await newScript();
    const { status, body } = await upload(
      slug,
      { 'main.py': '' },
      { build: 'echo "no such luck" >&2; exit 7' },
    );
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: {
        message: 'build: installation failed (exit code 7)',
        details: [{ path: 'build', message: expect.stringMatching(/no such luck$/) }],
      },
    });
  });

  it('may not leave more than is kept, nor take more memory than there is', async () => {
    const slug = await newScript();
    const large = await upload(slug, { 'main.py': '' }, { build: 'truncate -s 2G hole' });
    expect(large.body).toMatchObject({
      error: { message: 'build: the installation cannot be kept: it leaves more than 1 GiB' },
    });
    const hungry = await upload(
      slug,
      { 'main.py': '' },
      { build: 'python3 -c "a = bytearray(3 * 1024**3)"' },
    );
    expect(hungry.status).toBe(400);
  });

  it('is run once for those who ask at the same time', async () => {
    const [one, other] = await Promise.all([newScript(), newScript()]);
    const archive = await archiveOf({ 'main.py': '', 'salt.txt': String(Math.random()) });
    const ask = (slug: string) =>
      api.post(`/v1/scripts/${slug}/versions`, {
        archive,
        build: 'sleep 1; cat /proc/sys/kernel/random/uuid',
      });
    const [first, second] = await Promise.all([ask(one), ask(other)]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body['buildLog']).toBe(second.body['buildLog']);
  });

  it('leaves links and programs as they were', async () => {
    const slug = await newScript();
    const build =
      'printf "#!/bin/sh\\necho 5\\n" > tool; chmod +x tool; ln -s tool alias; ln -s /etc/passwd leak; mkfifo pipe';
    const { status, body, text } = await upload(slug, { 'main.py': '' }, { build, command: './alias' });
    expect(status, text).toBe(201);
    expect(body['buildLog']).toContain('"leak" is left out');
    await api.post(`/v1/scripts/${slug}/publish`, { version: 1 });
    const started = await run(api, { slug, id: '' });
    const done = await runUntil(api, started.body['id'] as string, finished);
    expect(done).toMatchObject({ status: 'succeeded', output: 5 });
  });
});
