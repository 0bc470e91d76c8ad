import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import type { NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, Seed, type TestWorkspace, createClient } from '../../libs/testing/index.js';
import { Settings } from '../../src/core/config/settings.js';
import { MasterKey } from '../../src/core/crypto/master-key.js';
import { WorkspaceKeysRepository } from '../../src/core/keys/workspace-keys.repository.js';
import { WorkspaceKeysService, WrongMasterKey } from '../../src/core/keys/workspace-keys.service.js';
import { ConnectionOptions } from '../../src/core/database/connection-options.js';
import { SecretUnreadable, SecretUseRecorder, SecretVaultService } from '../../src/secrets/index.js';
import { createApp } from '../../src/application.js';
import { newDatabase } from '../support/gatehouse.js';

const SECRETS = '/v1/workspace/secrets';
const newValue = (): string => `sk_${randomBytes(18).toString('hex')}`;

let app: NestExpressApplication;
let directory: string;
let sql: pg.Pool;
let vault: SecretVaultService;
let usage: SecretUseRecorder;
let workspace: TestWorkspace;
let api: Client;
let staging: Client;
let stagingId: string;

/** The service in this process, on a database of its own: these rooms have no routes. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-secrets-'));
  const url = await newDatabase();
  await migrate(url);
  const settings = new Settings({
    GATEHOUSE_DATA: directory,
    GATEHOUSE_ROLE: 'api',
    GATEHOUSE_SIGNUP: 'open',
    GATEHOUSE_RATE_LIMIT: '0',
    DATABASE_URL: url,
  });
  app = await createApp(settings, new ConnectionOptions(url, 8));
  await app.listen(0, '127.0.0.1');
  vault = app.get(SecretVaultService, { strict: false });
  usage = app.get(SecretUseRecorder, { strict: false });
  sql = new pg.Pool({ connectionString: url, max: 2 });
  const baseUrl = (await app.getUrl()).replace('[::1]', 'localhost');
  workspace = await new Seed(baseUrl, sql).workspace();
  const as = (environment: string) =>
    createClient({ baseUrl, token: workspace.owner.token, workspace: workspace.slug, environment });
  [api, staging] = [as('production'), as('staging')];
  stagingId = (await api.post('/v1/workspace/environments', { name: 'staging' })).body.id;
});

afterAll(async () => {
  await sql.end();
  await app.close();
  await rm(directory, { recursive: true, force: true });
});

/** By the built migrations: the service finds its own by their names, which the sources do not have. */
async function migrate(url: string): Promise<void> {
  const source = await new DataSource({
    type: 'postgres',
    url,
    migrations: [resolve('dist/src/migrations/*.js')],
    migrationsTableName: 'migrations',
  }).initialize();
  await source.runMigrations({ transaction: 'each' });
  await source.destroy();
}

const open = (names: string[], environmentId = workspace.environmentId) =>
  vault.open({ workspaceId: workspace.id, environmentId, names });

async function set(client: Client, name: string, fields: object = {}): Promise<string> {
  const value = newValue();
  const answer = await client.put(`${SECRETS}/${name}`, { value, hosts: ['a.com'], ...fields });
  expect(answer.status, answer.text).toBe(200);
  return value;
}

describe('SecretVaultService', () => {
  it('opens the values of one environment, with where they may go', async () => {
    const [one, two, elsewhere] = [
      await set(api, 'ONE'),
      await set(api, 'TWO', { allowEnv: true }),
      await set(staging, 'ONE'),
    ];
    await set(staging, 'THREE', { hosts: ['c.com', '*.c.com'] });
    expect(await open(['ONE', 'TWO', 'THREE', 'NONE'])).toEqual(
      new Map([
        ['ONE', { value: one, kind: 'text', hosts: ['a.com'], allowEnv: false }],
        ['TWO', { value: two, kind: 'text', hosts: ['a.com'], allowEnv: true }],
      ]),
    );
    expect((await open(['ONE'], stagingId)).get('ONE')).toMatchObject({ value: elsewhere });
    expect((await open(['THREE'], stagingId)).get('THREE')).toMatchObject({ hosts: ['c.com', '*.c.com'] });
    expect(await open([])).toEqual(new Map());
    expect(await vault.open({ workspaceId: 'wks_other', environmentId: stagingId, names: ['ONE'] })).toEqual(
      new Map(),
    );
  });

  it.each(['', ' leading and trailing ', 'line one\nline two\r\n', '"quoted\\"', 'é😀', '\u0001'])(
    'gives back what was put in: %j',
    async (text) => {
      const value = `${text}-----`;
      await set(api, 'EXACT', { value });
      expect((await open(['EXACT'])).get('EXACT')!.value).toBe(value);
    },
  );

  it('opens nothing whose record was changed: moved, sent to other hosts, or cut', async () => {
    const tamper = async (statement: string): Promise<void> => {
      await set(api, 'TAMPERED');
      await set(staging, 'TAMPERED');
      await sql.query(statement);
      const found = open(['TAMPERED']);
      await expect(found).rejects.toThrow(SecretUnreadable);
      await expect(found).rejects.toThrow(/TAMPERED cannot be decrypted/);
    };
    const its = `secret_id = (SELECT id FROM secrets WHERE name = 'TAMPERED')`;
    await tamper(`UPDATE secret_values SET hosts = '{evil.com}' WHERE ${its}`);
    await tamper(`UPDATE secret_values SET hosts = hosts || '{evil.com}' WHERE ${its}`);
    await tamper(`UPDATE secret_values SET sealed = substr(sealed, 1, 20) WHERE ${its}`);
    await tamper(
      `UPDATE secret_values SET sealed = (SELECT sealed FROM secret_values WHERE ${its} AND environment_id = '${stagingId}')
       WHERE ${its}`,
    );
  });
});

describe('a process with another master key', () => {
  it('gets no workspace key and makes none', async () => {
    const repository = app.get(WorkspaceKeysRepository, { strict: false });
    const stranger = new WorkspaceKeysService(repository, new MasterKey(randomBytes(32)));
    await set(api, 'A');
    await expect(stranger.of(workspace.id)).rejects.toThrow(WrongMasterKey);
    const { rows } = await sql.query<{ id: string }>(
      `INSERT INTO workspaces (id, slug, name) VALUES ('wks_' || repeat('0', 26), 'other', 'Other') RETURNING id`,
    );
    await expect(stranger.of(rows[0]!.id)).rejects.toThrow(WrongMasterKey);
    expect(await repository.find(rows[0]!.id)).toBeNull();
  });
});

describe('SecretUseRecorder', () => {
  it('writes down together when values were last used', async () => {
    await set(api, 'USED');
    await set(staging, 'USED');
    await set(api, 'UNUSED');
    for (let time = 0; time < 3; time++) usage.note(workspace.id, 'USED', stagingId);
    usage.note(workspace.id, 'GONE', stagingId);
    const before = (await api.get(`${SECRETS}/USED`)).body;
    expect(before.values.map(({ lastUsedAt }: { lastUsedAt: string | null }) => lastUsedAt)).toEqual([
      null,
      null,
    ]);
    await usage.write();
    const after = (await api.get(`${SECRETS}/USED`)).body;
    expect(after).toMatchObject({
      updatedAt: before.updatedAt,
      values: [
        { environment: 'production', lastUsedAt: null },
        { environment: 'staging', lastUsedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string },
      ],
    });
    expect((await api.get(`${SECRETS}/UNUSED`)).body.values[0].lastUsedAt).toBeNull();
  });
});

describe('the database', () => {
  it('holds no value in any form, in any table', async () => {
    const values = [await set(api, 'A'), await set(staging, 'A', { allowEnv: true }), await set(api, 'B')];
    const replaced = await set(api, 'C');
    await set(api, 'C');
    const { body } = await api.put(
      `${SECRETS}/D`,
      { value: replaced, hosts: ['*'] },
      { 'idempotency-key': 'wrong' },
    );
    expect(body.error.code).toBe('invalid_request');
    const kept = newValue();
    await api.put(`${SECRETS}/D`, { value: kept, hosts: ['a.com'] }, { 'idempotency-key': 'kept' });
    const dump = await everything();
    expect(dump).toContain('"name": "A"');
    for (const value of [...values, replaced, kept]) {
      for (const form of formsOf(value)) expect(dump.includes(form), form).toBe(false);
    }
  });

  it('holds the same value differently in each place', async () => {
    const value = newValue();
    for (const client of [api, staging]) for (const name of ['S', 'T']) await set(client, name, { value });
    const { rows } = await sql.query<{ sealed: Buffer }>(
      `SELECT v.sealed FROM secret_values v JOIN secrets s ON s.id = v.secret_id WHERE s.name IN ('S', 'T')`,
    );
    expect(new Set(rows.map(({ sealed }) => sealed.toString('hex'))).size).toBe(4);
  });

  /** Every row of every table, as a dump has them: bytes in hex, and once more as they are. */
  async function everything(): Promise<string> {
    const tables = await sql.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    expect(tables.rows.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['public.secret_values', 'public.events']),
    );
    const parts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await sql.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      parts.push(...rows.map(({ row }) => row.replaceAll('""', '"')));
    }
    const text = parts.join('\n');
    const bytes = [...text.matchAll(/\\x([0-9a-f]+)/g)].map(([, hex]) =>
      Buffer.from(hex!, 'hex').toString('latin1'),
    );
    return [text, ...bytes].join('\n');
  }

  function formsOf(value: string): string[] {
    const aligned = [0, 1, 2].map((before) =>
      Buffer.from('-'.repeat(before) + value)
        .toString('base64')
        .slice(4, -4),
    );
    return [value, Buffer.from(value).toString('hex'), encodeURIComponent(value), ...aligned];
  }
});
