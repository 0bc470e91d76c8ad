import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Client,
  type GatehouseProcess,
  type Json,
  Seed,
  createClient,
} from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { Mirror } from '../support/mirror.js';
import { archiveOf, finished, newSlug, run, runUntil } from '../support/scripts.js';

const BASIC = `Basic ${Buffer.from('team:pip-pass-word').toString('base64')}`;
const BEARER = 'Bearer npm-token-of-the-operator';

let directory: string;
let mirror: Mirror;
let gatehouse: GatehouseProcess & { databaseUrl: string };
let pool: pg.Pool;
let api: Client;

beforeAll(async () => {
  mirror = await Mirror.start((given) => given === BASIC || given === BEARER);
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-mirror-'));
  const npmrc = join(directory, 'npmrc');
  const address = `127.0.0.1:${mirror.port}`;
  await writeFile(
    npmrc,
    `@team:registry=http://${address}/unused/\nregistry=http://${address}/npm/\n//${address}/npm/:_authToken=npm-token-of-the-operator\n`,
  );
  gatehouse = await startGatehouse({
    env: {
      GATEHOUSE_SIGNUP: 'open',
      PIP_CONFIG_FILE: '/dev/null',
      PIP_FIND_LINKS: '',
      PIP_INDEX_URL: `http://team:pip-pass-word@localhost:${mirror.port}/simple`,
      NPM_CONFIG_USERCONFIG: npmrc,
    },
  });
  pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 1 });
  const workspace = await new Seed(gatehouse.baseUrl, pool).workspace();
  api = createClient({ baseUrl: gatehouse.baseUrl, token: workspace.owner.token, workspace: workspace.slug });
});

afterAll(async () => {
  await pool?.end();
  await gatehouse?.stop();
  await mirror?.stop();
  await rm(directory, { recursive: true, force: true });
});

async function upload(
  files: Record<string, string>,
  fields: Record<string, unknown> = {},
): Promise<[string, Json]> {
  const slug = newSlug();
  await api.post('/v1/scripts', { slug, name: slug });
  const version = await api.post(`/v1/scripts/${slug}/versions`, {
    archive: await archiveOf(files),
    ...fields,
  });
  expect(version.status, version.text).toBe(201);
  return [slug, version.body];
}

async function outputOf(slug: string): Promise<unknown> {
  await api.post(`/v1/scripts/${slug}/publish`, { version: 1 });
  const started = await run(api, { slug, id: '' });
  return (await runUntil(api, started.body['id'] as string, finished))['output'];
}

describe("the operator's mirrors", () => {
  it('serve pip over plain HTTP, with the credentials of its address', async () => {
    const main = 'import housemade; print(housemade.ANSWER)';
    const [slug] = await upload({ 'main.py': main, 'requirements.txt': 'housemade' });
    expect(await outputOf(slug)).toBe(42);
    const paths = mirror.seen.filter(({ authorization }) => authorization === BASIC).map(({ path }) => path);
    expect(paths).toContain('/files/housemade-1.0-py3-none-any.whl');
  });

  it('serve npm by an address without a name, with its token', async () => {
    const manifest = { main: 'main.js', dependencies: { housemade: '1' } };
    const main = "console.log(require('housemade'))";
    const [slug] = await upload({ 'main.js': main, 'package.json': JSON.stringify(manifest) });
    expect(await outputOf(slug)).toBe(43);
    const paths = mirror.seen.filter(({ authorization }) => authorization === BEARER).map(({ path }) => path);
    expect(paths).toContain('/npm/housemade/-/housemade-1.0.0.tgz');
  });

  it('serve npm what a lock file names', async () => {
    const manifest = { name: 'x', version: '1.0.0', main: 'main.js', dependencies: { housemade: '1' } };
    const lock = {
      name: 'x',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: {
        '': { name: 'x', version: '1.0.0', dependencies: { housemade: '1' } },
        'node_modules/housemade': {
          version: '1.0.0',
          resolved: `http://127.0.0.1:${mirror.port}/npm/housemade/-/housemade-1.0.0.tgz`,
        },
      },
    };
    const [slug] = await upload({
      'main.js': "console.log(require('housemade') + 1)",
      'package.json': JSON.stringify(manifest),
      'package-lock.json': JSON.stringify(lock),
    });
    expect(await outputOf(slug)).toBe(44);
  });

  it('keep their credentials from the installation', async () => {
    const build =
      'env; cat /inputs/*; python3 -m pip config list; npm config ls; cat /proc/1/cmdline /proc/self/environ';
    const [, version] = await upload({ 'main.py': '' }, { build });
    const log = version['buildLog'] as string;
    expect(log).toContain('index-url');
    expect(log).not.toMatch(/pip-pass-word|npm-token|dGVhbT/);
  });

  it('are reached by their ports alone, and the log names another one that was tried', async () => {
    const [, version] = await upload({ 'main.py': '' }, { build: 'curl -s http://localhost:9418/ || true' });
    expect(version['buildLog']).toContain('gate: refused a connection to port 9418: nothing listens on it.');
  });

  it('lend their credentials to nothing but the reading of packages', async () => {
    const attacks = [
      ...['PUT', 'POST', 'DELETE', 'PATCH'].map((method) => `-X ${method} "$npm/housemade"`),
      '-d {} "$npm/-/npm/v1/security/advisories/bulk"',
      '"$npm/../admin"',
      '"$npm/%2e%2e/admin"',
      '"$npm/..%2fadmin"',
      '"$npm/%252e%252e%252fadmin"',
      '"$npm/..;/admin"',
      '"$npm//../admin"',
      '"${npm%npm}admin"',
      '-H "X-HTTP-Method-Override: DELETE" "$npm/housemade"',
      '-H "X-Original-URL: /admin" "$npm/housemade"',
      '-H "Connection: Upgrade" -H "Upgrade: websocket" "$npm/housemade"',
      '-X GET -d x "$npm/housemade"',
      '"$pip/../admin"',
      '"$pip/../admin?x.whl"',
      '"$pip/../admin%3fx.whl"',
      '-X PUT "$pip/../files/housemade-1.0-py3-none-any.whl"',
    ];
    const build = [
      'npm=$(npm config get registry); npm=${npm%/}',
      'pip=https://localhost/simple',
      ...attacks.map((attack) => `curl --path-as-is -s -o /dev/null -m 20 ${attack}`),
      'curl -s -o /dev/null -I "$npm/read"',
      'curl -s -o /dev/null "$npm/@team%2fread"',
      'curl -s -o /dev/null "$pip/read/"',
      'true',
    ].join('; ');
    mirror.seen.length = 0;
    await upload({ 'main.py': '' }, { build });
    expect(mirror.seen.length).toBeGreaterThan(attacks.length);
    const lent = mirror.seen.filter(({ authorization }) => authorization !== undefined);
    expect(lent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'HEAD /npm/read',
      'GET /npm/@team%2fread',
      'GET /simple/read/',
    ]);
  });
});
