import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { createClient, firstRun, type GatehouseProcess } from '../../libs/testing/index.js';
import { type Credentials, FIELDS, ONE_OF_EACH, count, inventory, ownerOf } from '../support/first-run.js';
import { newDatabase, startGatehouse } from '../support/gatehouse.js';
import { commandsOf, paste } from '../support/paste.js';

const COMMAND = /^ {2}curl (?:.*\\\n)*.*$/gm;

const IN_TERMINAL = 'test/support/in-terminal.mjs';

const started: GatehouseProcess[] = [];
const directories: string[] = [];

async function start(options: Parameters<typeof startGatehouse>[0] = {}): ReturnType<typeof startGatehouse> {
  const gatehouse = await startGatehouse(options);
  started.push(gatehouse);
  const saysLast = `Gatehouse is ready: ${gatehouse.baseUrl}`;
  await vi.waitFor(() => expect(gatehouse.output()).toContain(saysLast), { timeout: 60_000 });
  return gatehouse;
}

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-first-run-'));
  directories.push(directory);
  return directory;
}

async function stopAll(): Promise<void> {
  await Promise.all(started.splice(0).map((gatehouse) => gatehouse.stop()));
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
}

describe('the first start', () => {
  let gatehouse: Awaited<ReturnType<typeof startGatehouse>>;
  let credentials: Credentials;
  let output: string;

  beforeAll(async () => {
    gatehouse = await start({ dataDirectory: await newDirectory(), program: IN_TERMINAL });
    credentials = await firstRun(gatehouse);
    output = gatehouse.output();
  });
  afterAll(stopAll);

  it('leaves a private file with exactly the credentials, whole by the time it is ready', async () => {
    expect(Object.keys(credentials).sort()).toEqual(FIELDS);
    expect(credentials).toMatchObject({
      baseUrl: gatehouse.baseUrl,
      email: 'owner@localhost',
      workspace: 'main',
    });
    const { mode } = await stat(join(gatehouse.dataDirectory, 'first-run.json'));
    expect(mode & 0o777).toBe(0o600);
    expect(existsSync(join(gatehouse.dataDirectory, 'first-run.draft.json'))).toBe(false);
  });

  it('makes one of each', async () => {
    expect(await inventory(gatehouse.databaseUrl)).toEqual(ONE_OF_EACH);
  });

  it('gives a token with every scope, a key, and a password that signs in', async () => {
    const { personalAccessToken, apiKey, workspace, email, password, baseUrl } = credentials as Record<
      string,
      string
    >;
    const me = await createClient({ baseUrl: baseUrl!, token: personalAccessToken! }).get('/v1/user/me');
    expect(me.body).toMatchObject({ email, workspaces: [{ slug: workspace, role: 'owner' }] });
    const byKey = await createClient({ baseUrl: baseUrl!, token: apiKey! }).get('/v1/workspace');
    expect(byKey).toMatchObject({ status: 200, body: { name: 'My workspace' } });

    const login = await createClient({ baseUrl: baseUrl! }).post('/v1/auth/login', { email, password });
    expect(login.status).toBe(200);
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!;
    const session = createClient({ baseUrl: baseUrl!, cookie, workspace: workspace! });
    const tokens = await session.get('/v1/account/tokens');
    expect(tokens.body.items).toHaveLength(1);
    expect(tokens.body.items[0].scopes).toHaveLength(33);
    const keys = await session.get('/v1/workspace/api-keys');
    expect(keys.body.items).toMatchObject([{ name: 'first start', environment: null }]);
  });

  it('publishes the example and runs it, with a file in and files out', async () => {
    const owner = ownerOf(credentials);
    const script = await owner.get('/v1/scripts/country-chart');
    expect(script.body).toMatchObject({
      status: 'published',
      publishedVersion: 1,
      tags: ['example', 'python'],
    });
    expect(script.body.readme).toContain('# Country chart');

    const { body: runs } = await owner.get('/v1/runs');
    expect(runs.items).toHaveLength(1);
    const { body: run } = await owner.get(`/v1/runs/${runs.items[0].id}`);
    expect(run).toMatchObject({ status: 'succeeded', progress: 1, progressMessage: 'done' });
    expect(run.output).toMatchObject({ countries: 242, measure: 'population', region: null });
    expect(run.output.top).toHaveLength(10);
    expect(run.files).toMatchObject([
      { direction: 'in', field: 'countries', name: 'countries.csv', type: 'text/csv' },
      { direction: 'out', name: 'chart.svg', type: 'image/svg+xml' },
      { direction: 'out', name: 'summary.json', type: 'application/json' },
    ]);
    const summary = await owner.get(`/v1/files/${run.files[2].id}/content`);
    expect(JSON.parse(summary.text)).toEqual(run.output);
    const { body: log } = await owner.get(`/v1/runs/${run.id}/log`);
    expect(log.lines.join('\n')).toContain('read 242 rows from countries.csv');
  });

  it('prints what the example returned, what to open, and the credentials', () => {
    expect(output).toMatch(/ran in its sandbox: \d+ ms, and .* from request to response/);
    expect(output).toContain(`Gatehouse is ready: ${gatehouse.baseUrl}`);
    expect(output).toContain('{ "code": "IN", "name": "India", "value": 1440000000 }');
    expect(output).toContain(`${gatehouse.baseUrl}/docs`);
    for (const field of FIELDS) expect(output).toContain(credentials[field]);
    expect(output.split(credentials['password']!)).toHaveLength(2);
    expect(output.split(credentials['apiKey']!)).toHaveLength(2);
  });

  it('prints three commands that work when pasted', async () => {
    const commands = output.match(COMMAND)!;
    expect(commands).toHaveLength(3);
    const directory = await newDirectory();
    const answers: string[] = [];
    for (const command of commands) answers.push(await paste(command, directory));
    const [again, nothing, runs] = answers;
    const run = JSON.parse(again!);
    expect(run).toMatchObject({ status: 'succeeded', output: { countries: 51, region: 'Europe' } });
    expect(run.output.top[0]).toMatchObject({ name: 'Monaco' });
    expect(nothing).toBe('');
    expect(await readFile(join(directory, 'chart.svg'), 'utf8')).toMatch(/^<svg [^]*<\/svg>\n$/);
    expect(JSON.parse(runs!).items[0].script.slug).toBe('country-chart');
  });

  it('makes the commands of the README work as they stand there', async () => {
    const readme = await readFile('README.md', 'utf8');
    const lines = commandsOf(readme).join('\n');
    const directory = await newDirectory();
    await symlink(gatehouse.dataDirectory, join(directory, '.data'));
    const answers = (await paste(lines, directory)).trim().split('\n');
    const [script, version, published, run, log] = answers.map((answer) => JSON.parse(answer));
    expect(script).toMatchObject({ slug: 'words', status: 'draft' });
    expect(version).toMatchObject({ number: 1, command: 'python main.py {text}' });
    expect(published).toMatchObject({ slug: 'words', publishedVersion: 1 });
    expect(run).toMatchObject({ status: 'succeeded', output: { words: 5, longest: 'script' } });
    expect(log.lines).toEqual(['counting 5 words']);
    expect(readme).toContain('`"status":"succeeded"` with `"output":{"words":5,"longest":"script"}`');
  });

  it('has an example whose errors say what to do', async () => {
    const owner = ownerOf(credentials);
    const upload = (name: string, text: string) =>
      owner.post(`/v1/files?name=${name}`, Buffer.from(text), { 'content-type': 'text/csv' });
    const run = async (inputs: object) =>
      (await owner.post('/v1/scripts/country-chart/runs', { inputs })).body as {
        status: string;
        error: string;
      };
    const table = (await upload('t.csv', 'code,name,region,area_km2,population\nXX,Utopia,Nowhere,1,2\n'))
      .body.id;
    expect(await run({ countries: table, region: 'Atlantis' })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('no country is in the region Atlantis; the table has: Nowhere'),
    });
    const other = (await upload('other.csv', 'a,b\n1,2\n')).body.id;
    expect((await run({ countries: other })).error).toContain('other.csv has no column code, name');
    const refused = await owner.post('/v1/scripts/country-chart/runs', {
      inputs: { countries: table, top: 31 },
    });
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: 'inputs.top' }] } } });
  });

  it('is not repeated: the second start makes nothing, prints no secret, and keeps the file in step', async () => {
    const { databaseUrl, dataDirectory } = gatehouse;
    const everything = async () => [await inventory(databaseUrl), await count(databaseUrl, 'runs')];
    const before = await everything();
    await gatehouse.stop();
    started.splice(0);
    const second = await start({ dataDirectory, env: { DATABASE_URL: databaseUrl } });
    expect(await everything()).toEqual(before);
    expect(await firstRun(second)).toEqual({ ...credentials, baseUrl: second.baseUrl });
    expect(second.baseUrl).not.toBe(credentials['baseUrl']);
    for (const secret of ['password', 'personalAccessToken', 'apiKey']) {
      expect(second.output()).not.toContain(credentials[secret]);
    }
    expect(second.output()).toContain(join(dataDirectory, 'first-run.json'));
    const told = second.output().trim().split('\n');
    // A busy machine may be warned of.
    expect(told.filter((line) => line.includes('"level":"info"')).length, told.join('\n')).toBe(3);
    expect((await ownerOf(await firstRun(second)).get('/v1/workspace')).status).toBe(200);
  });
});

describe('how it can be set up', () => {
  afterEach(stopAll);

  const OWNER = {
    GATEHOUSE_OWNER_EMAIL: 'Ada@Example.com',
    GATEHOUSE_OWNER_PASSWORD: 'correct horse battery',
  };

  /** Signs in as the owner of the settings, whose password was not printed. */
  async function expectOwner(gatehouse: GatehouseProcess): Promise<void> {
    const { email, password, baseUrl } = await firstRun(gatehouse);
    expect({ email, password }).toEqual({ email: 'ada@example.com', password: 'correct horse battery' });
    expect(gatehouse.output()).not.toContain(password);
    const login = await createClient({ baseUrl: baseUrl! }).post('/v1/auth/login', { email, password });
    expect(login.status).toBe(200);
  }

  it('takes the owner from the settings, and runs no example where the process runs no scripts', async () => {
    const gatehouse = await start({
      program: IN_TERMINAL,
      env: { DATABASE_URL: await newDatabase(), GATEHOUSE_ROLE: 'api', ...OWNER },
    });
    await expectOwner(gatehouse);
    expect(gatehouse.output()).toContain('start a worker');
    const owner = ownerOf(await firstRun(gatehouse));
    expect((await owner.get('/v1/scripts/country-chart')).body.status).toBe('published');
    expect((await owner.get('/v1/runs')).body.items).toEqual([]);
    const [, workspace, runs] = gatehouse.output().match(COMMAND)!;
    const directory = await newDirectory();
    expect(JSON.parse(await paste(workspace!, directory))).toMatchObject({ name: 'My workspace' });
    expect(JSON.parse(await paste(runs!, directory))).toEqual({ items: [], nextCursor: null });
  });

  it('takes the owner from the settings, and works with the key alone where personal tokens are switched off', async () => {
    const gatehouse = await start({
      program: IN_TERMINAL,
      env: {
        DATABASE_URL: await newDatabase(),
        GATEHOUSE_PERSONAL_TOKENS: 'off',
        GATEHOUSE_RATE_BURST: '3',
        ...OWNER,
      },
    });
    await expectOwner(gatehouse);
    expect(gatehouse.output()).toContain('ran in its sandbox');
    const commands = gatehouse.output().match(COMMAND)!;
    await sleep(1_000);
    const runs = JSON.parse(await paste(commands[2]!, await newDirectory()));
    expect(runs.items).toMatchObject([{ status: 'succeeded', startedBy: { credentialType: 'api_key' } }]);
  });

  it('is done by exactly one of several processes that start on one empty database', async () => {
    const env = { DATABASE_URL: await newDatabase() };
    const all = await Promise.all([start({ env }), start({ env })]);
    expect(await inventory(env.DATABASE_URL)).toEqual(ONE_OF_EACH);
    const withFile = all.filter(({ dataDirectory }) => existsSync(join(dataDirectory, 'first-run.json')));
    expect(withFile).toHaveLength(1);
    const saying = all.filter((gatehouse) => gatehouse.output().includes('The example script'));
    expect(saying).toEqual(withFile);
  });
});
