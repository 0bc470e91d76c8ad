import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';

import {
  type Client,
  type GatehouseProcess,
  createClient,
  firstRun,
  freePort,
} from '../../libs/testing/index.js';
import { MasterKey } from '../../src/core/crypto/master-key.js';
import { DataKey, unwrapDataKey } from '../../src/core/keys/data-key.js';
import { EmbeddedPostgres } from '../../src/core/database/embedded/embedded-postgres.js';
import { placeOf } from '../../src/secrets/secret-place.js';
import { AskingDevice } from '../support/asking-device.js';
import { copiedPlace, startGatehouse } from '../support/gatehouse.js';
import { App } from '../support/oauth.js';
import { CodeApp, cookiesOf, FACTORS } from '../support/second-factors.js';

const SECRETS = '/v1/workspace/secrets';
const newKey = (): string => randomBytes(32).toString('base64');

interface Place {
  dataDirectory: string;
  /** null: the embedded database. */
  databaseUrl: string | null;
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

const started: GatehouseProcess[] = [];
const directories: string[] = [];

async function stopAll(): Promise<void> {
  await Promise.all(started.splice(0).map((gatehouse) => gatehouse.stop()));
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
}

/** Whose first start is over. */
async function newPlace(): Promise<{ dataDirectory: string; databaseUrl: string }> {
  const place = await copiedPlace();
  directories.push(place.dataDirectory);
  return place;
}

const settingsOf = ({ databaseUrl }: Place, env: Record<string, string>) => ({
  GATEHOUSE_ROLE: 'api',
  ...env,
  DATABASE_URL: databaseUrl ?? '',
});

async function start(
  place: Place,
  env: Record<string, string> = {},
  port?: number,
): Promise<GatehouseProcess> {
  const options = {
    dataDirectory: place.dataDirectory,
    env: settingsOf(place, env),
    ...(port !== undefined && { port }),
  };
  const gatehouse = await startGatehouse(options);
  started.push(gatehouse);
  return gatehouse;
}

async function stop(gatehouse: GatehouseProcess): Promise<void> {
  started.splice(started.indexOf(gatehouse), 1);
  await gatehouse.stop();
}

async function ownerOf(gatehouse: GatehouseProcess): Promise<Client> {
  const { personalAccessToken, workspace } = await firstRun(gatehouse);
  return createClient({ baseUrl: gatehouse.baseUrl, token: personalAccessToken!, workspace: workspace! });
}

/** A service with one secret, stopped again. */
async function withSecret(place: Place, env: Record<string, string> = {}): Promise<string> {
  const gatehouse = await start(place, env);
  const value = `sk_${randomBytes(12).toString('hex')}`;
  const set = await (await ownerOf(gatehouse)).put(`${SECRETS}/KEY`, { value, hosts: ['a.com'] });
  expect(set.status, set.text).toBe(200);
  await stop(gatehouse);
  return value;
}

/** The real command, with the data directory and database of a place. */
function admin(place: Place, args: string[], env: Record<string, string> = {}, stdin = ''): Promise<Ended> {
  const child = spawn(process.execPath, [resolve('dist/src/admin.js'), ...args], {
    env: { PATH: process.env['PATH'], GATEHOUSE_DATA: place.dataDirectory, ...settingsOf(place, env) },
  });
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (ended.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (ended.stderr += chunk.toString()));
  child.stdin.end(stdin);
  return new Promise((done) => child.once('close', (code) => done({ ...ended, code })));
}

const rotate = (
  place: Place,
  env: Record<string, string> = {},
  args: string[] = [],
  stdin = '',
): Promise<Ended> => admin(place, ['rotate-master-key', ...args], env, stdin);

const keyFile = ({ dataDirectory }: Place): string => join(dataDirectory, 'master.key');
const keyOf = async (place: Place): Promise<string> => (await readFile(keyFile(place), 'utf8')).trim();

/** All values in the database, opened with a master key. */
async function valuesUnder(databaseUrl: string, masterKey: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT s.id AS "secretId", v.environment_id AS "environmentId", v.hosts, v.source, v.sealed, k.workspace_id AS "workspaceId",
         k.master_key_id AS "masterKeyId", k.sealed_key AS "sealedKey"
       FROM secret_values v JOIN secrets s ON s.id = v.secret_id JOIN workspace_keys k ON k.workspace_id = s.workspace_id`,
    );
    const key = new MasterKey(Buffer.from(masterKey, 'base64'));
    return rows.map((row) => new DataKey(unwrapDataKey(key, row)).open(row.sealed, placeOf(row)));
  } finally {
    await client.end();
  }
}

describe('rotate-master-key, of an instance with its own database', () => {
  afterEach(stopAll);

  it('changes the key file of a stopped instance, and everything is there after the start', async () => {
    const place = {
      dataDirectory: await mkdtemp(join(tmpdir(), 'gatehouse-master-key-')),
      databaseUrl: null,
    };
    directories.push(place.dataDirectory);
    const value = await withSecret(place);
    const old = await keyOf(place);
    const ended = await rotate(place);
    expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/1 workspace key is sealed by the new one/);
    expect(ended.stdout).toContain(keyFile(place));
    const now = await keyOf(place);
    expect(now).not.toBe(old);
    expect((await stat(keyFile(place))).mode & 0o777).toBe(0o600);
    expect(existsSync(`${keyFile(place)}.next`)).toBe(false);
    for (const key of [old, now]) expect(ended.stdout + ended.stderr).not.toContain(key);

    const gatehouse = await start(place);
    const owner = await ownerOf(gatehouse);
    expect((await owner.get(`${SECRETS}/KEY`)).body.values).toMatchObject([{ hosts: ['a.com'] }]);
    const url = (await EmbeddedPostgres.runningUrl(place.dataDirectory))!;
    expect(await valuesUnder(url, now)).toEqual([value]);
    await expect(valuesUnder(url, old)).rejects.toThrow();
    expect((await owner.put(`${SECRETS}/OTHER`, { value: 'another', hosts: ['a.com'] })).status).toBe(200);
    expect((await valuesUnder(url, now)).sort()).toEqual(['another', value]);

    const running = await rotate(place);
    expect([running.code, running.stdout]).toEqual([1, '']);
    expect(running.stderr).toMatch(/already runs on/);
    expect(await keyOf(place)).toBe(now);
  });
});

describe('rotate-master-key, of a key in the settings', () => {
  afterEach(stopAll);

  const present = (key: string) => ({ GATEHOUSE_MASTER_KEY: key });

  it('refuses what it cannot do; takes the new one from a variable or standard input; makes the old one useless', async () => {
    const place = await newPlace();
    const [first, second, third] = [await keyOf(place), newKey(), newKey()];
    await rm(keyFile(place));
    const value = await withSecret(place, present(first));
    const refusals: [Promise<Ended>, RegExp][] = [
      [rotate(place, present(first)), /Give the new master key/],
      [rotate(place, { ...present(first), GATEHOUSE_NEW_MASTER_KEY: first }), /is the present one/],
      [rotate(place, present(first), ['--new-key', second]), /new-key/],
      [
        rotate(place, { ...present(newKey()), GATEHOUSE_NEW_MASTER_KEY: newKey() }),
        /cannot be opened with the present/,
      ],
      [rotate(place), /There is no master key yet/],
      [admin(place, []), /Usage/],
      [admin(place, ['rotate']), /Usage/],
    ];
    for (const [command, reason] of refusals) {
      const { code, stdout, stderr } = await command;
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(reason);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
    expect(await valuesUnder(place.databaseUrl, first)).toEqual([value]);

    const change = async (from: string, to: string, rotation: Promise<Ended>): Promise<void> => {
      const ended = await rotation;
      expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' });
      expect(ended.stdout).toMatch(/set GATEHOUSE_MASTER_KEY to the new key/);
      for (const key of [from, to]) expect(ended.stdout).not.toContain(key);
      expect(await valuesUnder(place.databaseUrl, to)).toEqual([value]);
    };
    await change(first, second, rotate(place, { ...present(first), GATEHOUSE_NEW_MASTER_KEY: second }));
    await change(second, third, rotate(place, present(second), ['--new-key-file=-'], `${third}\n`));
    expect(existsSync(keyFile(place))).toBe(false);

    await Promise.all([
      expect(start(place, present(second))).rejects.toThrow(
        /encrypted with another master key than the one in GATEHOUSE_MASTER_KEY/,
      ),
      expect(start(place)).rejects.toThrow(/another master key than the one in .*master\.key/),
    ]);
    const gatehouse = await start(place, present(third));
    expect((await (await ownerOf(gatehouse)).get(SECRETS)).body.items).toHaveLength(1);
    // What nobody saw the end of can be done again.
    await stop(gatehouse);
    const again = await rotate(place, { ...present(second), GATEHOUSE_NEW_MASTER_KEY: third });
    expect(again, again.stderr).toMatchObject({ code: 0 });
  }, 180_000);
});

describe('rotate-master-key, of a key in the data directory', () => {
  afterEach(stopAll);

  it('refuses while a process runs, seals anew all there is, and is finished by the next start where it was cut off', async () => {
    const place = await newPlace();
    const first = await start(place);
    const body = { name: 'staging' };
    const send = async (gatehouse: GatehouseProcess) =>
      (await ownerOf(gatehouse)).post('/v1/workspace/environments', body, { 'idempotency-key': 'once' });
    expect((await send(first)).status).toBe(201);
    const set = { value: 'a value', hosts: ['a.com'] };
    await (await ownerOf(first)).put(`${SECRETS}/KEY`, set);
    const [old, next] = [await keyOf(place), newKey()];

    const refused = await rotate(place);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/still runs on this database \(api\)/),
    ]);
    expect(await keyOf(place)).toBe(old);
    expect(existsSync(`${keyFile(place)}.next`)).toBe(false);
    await stop(first);

    const ended = await rotate(place);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    const made = await keyOf(place);
    expect(made).not.toBe(old);
    expect(await valuesUnder(place.databaseUrl, made)).toEqual([set.value]);

    const done = await whileMailWaits(place, [made, next], () =>
      rotate(place, { GATEHOUSE_NEW_MASTER_KEY: next }),
    );
    expect(done, done.stderr).toMatchObject({ code: 0 });

    // As if it had been cut off after its commit.
    await writeFile(keyFile(place), `${made}\n`);
    await writeFile(`${keyFile(place)}.next`, `${next}\n`);
    const second = await start(place);
    expect(await keyOf(place)).toBe(next);
    expect(existsSync(`${keyFile(place)}.next`)).toBe(false);
    expect(await valuesUnder(place.databaseUrl, next)).toEqual([set.value]);

    // Stored responses are dropped, and yet no request is carried out twice.
    expect((await send(second)).status).toBe(422);
    expect((await (await ownerOf(second)).get('/v1/workspace/environments')).body.items).toHaveLength(2);
  }, 180_000);

  it('leaves apps connected, and those that wait for a person waiting', async () => {
    const place = await newPlace();
    // Tokens are for the service at its address.
    const port = await freePort();
    const before = await start(place, {}, port);
    const connected = await AskingDevice.at(before);
    const { refresh_token: token } = await connected.allow(before);
    const waiting = await AskingDevice.at(before);
    await stop(before);
    const ended = await rotate(place);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });

    const after = await start(place, {}, port);
    const refreshed = await new App('gatehouse-cli', after.baseUrl).refresh(token);
    expect([refreshed.status, refreshed.body.scope]).toEqual([200, 'runs:read']);
    const { access_token: late } = await waiting.allow(after);
    const { workspace } = await firstRun(after);
    const device = createClient({ baseUrl: after.baseUrl, token: late, workspace: workspace! });
    expect((await device.get('/v1/runs')).status).toBe(200);
    // What was used stays used, and is recognised.
    const again = await new App('gatehouse-cli', after.baseUrl).refresh(token);
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
  }, 180_000);

  it('leaves apps for codes good', async () => {
    const place = await newPlace();
    const before = await start(place);
    const { email, password } = await firstRun(before);
    const login = await createClient({ baseUrl: before.baseUrl }).post('/v1/auth/login', { email, password });
    const session = createClient({ baseUrl: before.baseUrl, cookie: cookiesOf(login).join('; ') });
    const codes = new CodeApp((await session.post(`${FACTORS}/authenticator`)).body.secret);
    const added = await session.post(`${FACTORS}/authenticator/confirm`, { code: codes.code() });
    expect(added.status, added.text).toBe(200);
    await stop(before);
    const ended = await rotate(place);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });

    const { baseUrl } = await start(place);
    const api = createClient({ baseUrl });
    const half = await api.post('/v1/auth/login', { email, password });
    const cookie = cookiesOf(half).join('; ');
    const entered = await api.post('/v1/auth/second-factor', { code: codes.code() }, { cookie });
    expect(entered.status, entered.text).toBe(200);
  }, 180_000);

  /** Rotates while mail waits that each of the keys has sealed, and finds it sealed by the second. */
  async function whileMailWaits(
    place: Place,
    [old, next]: [string, string],
    rotation: () => Promise<Ended>,
  ): Promise<Ended> {
    const keys = [old, next].map((key) => new MasterKey(Buffer.from(key, 'base64')));
    const client = new pg.Client({ connectionString: place.databaseUrl! });
    await client.connect();
    try {
      const rows = ['mai_1', 'mai_2'].map((id, n) => [id, keys[n]!.encrypt('mail', Buffer.from('text'), id)]);
      for (const row of rows) await client.query('INSERT INTO mails (id, message) VALUES ($1, $2)', row);
      const ended = await rotation();
      const { rows: mails } = await client.query('SELECT id, message FROM mails ORDER BY id');
      expect(mails.map(({ id, message }) => keys[1]!.decrypt('mail', message, id).toString())).toEqual([
        'text',
        'text',
      ]);
      return ended;
    } finally {
      await client.end();
    }
  }
});
