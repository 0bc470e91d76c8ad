import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { freePort, type Json } from '../../libs/testing/index.js';
import { type Ended, runAdmin } from '../support/admin.js';
import { claiming, inDatabase } from '../support/claiming.js';
import { baseUrl, newDatabase } from '../support/gatehouse.js';
import { Redis, redisProgram } from '../support/redis.js';
import { SmallDisk } from '../support/small-disk.js';

const PASSWORD = 'hidden-password';

interface Finding {
  name: string;
  state: 'ok' | 'warn' | 'fail';
  found: string;
  cure: string | null;
}

let dataDirectory: string;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'gatehouse-doctor-'));
});
afterAll(() => rm(dataDirectory, { recursive: true, force: true }));

/** With the suite's servers, but for what `env` names. */
function looked(env: Record<string, string> = {}, ...words: string[]): Promise<Ended> {
  return runAdmin(['doctor', ...words], {
    GATEHOUSE_DATA: dataDirectory,
    GATEHOUSE_BASE_URL: baseUrl(),
    GATEHOUSE_DISK_RESERVE_MB: '1',
    DATABASE_URL: inject('databaseUrl'),
    ...env,
  });
}

async function findings(env: Record<string, string> = {}): Promise<Record<string, Finding>> {
  const { code, stdout, stderr } = await looked(env, '--json');
  const report = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  expect([code, stderr]).toEqual([report.ok ? 0 : 1, '']);
  expect(report.ok).toBe(report.findings.every(({ state }) => state !== 'fail'));
  // Whatever is not well has its cure.
  for (const { state, cure, name } of report.findings) if (state !== 'ok') expect(cure, name).toBeTruthy();
  expect(stdout).not.toContain(PASSWORD);
  return Object.fromEntries(report.findings.map((finding) => [finding.name, finding]));
}

describe('the doctor', () => {
  it('says of everything that it is well, with versions', async () => {
    const found = await findings();
    expect(Object.values(found).filter(({ state }) => state === 'fail')).toEqual([]);
    expect(found).toMatchObject({
      kernel: { state: 'ok', found: expect.stringMatching(/^Linux \d/) },
      sandbox: { state: 'ok' },
      'user namespaces': { state: 'ok' },
      cgroups: expect.anything(),
      'user ids': expect.anything(),
      'open files': expect.anything(),
      processes: expect.anything(),
      Python: expect.anything(),
      Gatehouse: { state: 'ok' },
      Node: { state: 'ok', found: process.versions.node },
      bubblewrap: { state: 'ok', found: expect.stringMatching(/^\d/) },
      'data directory': { state: 'ok', found: dataDirectory },
      'disk of GATEHOUSE_DATA': { state: 'ok' },
      'disk of TMPDIR': { state: 'ok' },
      database: { state: 'ok', found: expect.stringMatching(/^PostgreSQL \d+\S*, /) },
      clock: { state: 'ok' },
      tables: { state: 'ok', found: 'up to date' },
      queue: { state: 'ok', found: 'in the database' },
      files: { state: 'ok' },
      mail: { state: 'ok' },
      'log sink': { state: 'ok', found: expect.stringContaining('none') as Json },
      traces: { state: 'ok', found: expect.stringContaining('none') as Json },
      models: { state: 'ok', found: expect.stringContaining('none') as Json },
      'secret stores': { state: 'ok', found: expect.stringContaining('none') as Json },
      registry: expect.anything() as Json,
      address: { state: 'ok', found: `${baseUrl()} is ready` },
    });
  });

  it('says of everything that is away what to do, a line each, and ends with 1', async () => {
    const nowhere = `127.0.0.1:${await freePort()}`;
    const env = {
      DATABASE_URL: `postgres://gatehouse:${PASSWORD}@${nowhere}/gatehouse`,
      REDIS_URL: `redis://:${PASSWORD}@${nowhere}`,
      SMTP_URL: `smtp://gatehouse:${PASSWORD}@${nowhere}`,
      GATEHOUSE_BASE_URL: `http://${nowhere}`,
      GATEHOUSE_FILES: 'file:/proc/self',
      GATEHOUSE_DISK_RESERVE_MB: '1000000000',
      GATEHOUSE_ROLE: 'api',
    };
    const { code, stdout, stderr } = await looked(env);
    expect([code, stderr]).toEqual([1, '']);
    for (const line of [
      `fail  database: PostgreSQL at ${nowhere} (DATABASE_URL) cannot be reached: nothing listens there.\n      Start PostgreSQL, or correct DATABASE_URL.`,
      `fail  queue: Redis at ${nowhere} (REDIS_URL) cannot be reached: nothing listens there.\n      Start it, correct REDIS_URL, or leave it out`,
      `fail  mail: The mail server at ${nowhere} (SMTP_URL) cannot be used: `,
      `warn  address: http://${nowhere} gives no answer here: `,
      'fail  files: The directory that GATEHOUSE_FILES names cannot be used.\n      ',
      `fail  disk of GATEHOUSE_DATA: `,
      // Small ones in memory are usual, and nothing is refused for them.
      `warn  disk of TMPDIR: `,
    ]) {
      expect(stdout).toContain(line);
    }
    expect(stdout).not.toMatch(/hidden-password|^ {4}at /m);
    // It looks at the machine of a process that runs no scripts.
    expect(stdout).not.toContain('sandbox:');
  });

  it('warns of what cannot be reached outside, with what fails until then', async () => {
    const nowhere = `127.0.0.1:${await freePort()}`;
    const { code, stdout } = await looked({
      GATEHOUSE_LOG_SINK: `syslog+tcp://${nowhere}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://${nowhere}`,
      GATEHOUSE_MODEL_URL: `https://${nowhere}/v1`,
      GATEHOUSE_MODEL_KEY: PASSWORD,
      GATEHOUSE_VAULT_ADDRESS: `https://${nowhere}`,
      GATEHOUSE_VAULT_TOKEN: PASSWORD,
      PIP_INDEX_URL: `http://user:${PASSWORD}@${nowhere}/simple`,
      npm_config_registry: `http://${nowhere}/npm/`,
    });
    expect(code).toBe(0);
    for (const [name, of, cure] of [
      ['log sink', 'GATEHOUSE_LOG_SINK', 'Entries wait'],
      ['traces', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'Traces are lost'],
      ['models', 'GATEHOUSE_MODEL_URL', 'Agents do not answer'],
      ['secret stores', 'GATEHOUSE_VAULT_ADDRESS', 'Runs that need a secret'],
      ['registry', 'as pip or npm is configured', 'Scripts with dependencies'],
    ]) {
      const line = `warn  ${name}: ${nowhere} (${of}) cannot be reached: the connection was refused\n      ${cure}`;
      expect(stdout).toContain(line);
    }
    expect(stdout).not.toContain(PASSWORD);
  });

  it('knows what they are where they can be reached', async () => {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const where = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const found = await findings({
      GATEHOUSE_LOG_SINK: 'otlp',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://${where}`,
      GATEHOUSE_MODEL_URL: `http://${where}/v1`,
      GATEHOUSE_AWS_SECRETS_REGION: 'eu-west-1',
      GATEHOUSE_AWS_SECRETS_ENDPOINT: `http://${where}`,
      PIP_INDEX_URL: `http://${where}/simple`,
      npm_config_registry: `http://${where}/npm/`,
    });
    server.close();
    for (const name of ['log sink', 'traces', 'models', 'secret stores', 'registry'])
      expect(found[name]).toMatchObject({ state: 'ok', found: where });
  });

  it('knows a database that a start would refuse', async () => {
    const newer = await newDatabase();
    await inDatabase(
      newer,
      'CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name text NOT NULL)',
      `INSERT INTO migrations (timestamp, name) VALUES (1760000000001, 'Foundation1760000000001'), (1999000000000, 'Later1999000000000')`,
    );
    const { tables } = await findings({ DATABASE_URL: newer });
    expect(tables).toMatchObject({
      state: 'fail',
      found: "The database is a newer Gatehouse's: this one does not know its migration Later1999000000000.",
      cure: expect.stringContaining('Start that version again') as Json,
    });
  });

  it.each(process.getuid!() === 0 ? ['for reading only'] : [])(
    'knows a data directory on a disk that is mounted %s',
    async () => {
      const disk = await SmallDisk.mount(64);
      await disk.remountReadOnly();
      const found = await findings({ GATEHOUSE_DATA: join(disk.path, 'data') });
      await disk.unmount();
      expect(found['data directory']).toMatchObject({
        state: 'fail',
        cure: expect.stringContaining('GATEHOUSE_DATA') as Json,
      });
    },
  );

  it('tells whose clock is wrong by how much', async () => {
    const ahead = await claiming(
      `CREATE FUNCTION claimed.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
       $$ SELECT pg_catalog.clock_timestamp() + interval '90 seconds' $$`,
    );
    const { clock } = await findings({ DATABASE_URL: ahead });
    expect(clock).toMatchObject({
      state: 'fail',
      found: expect.stringMatching(/^(8[5-9]|9[0-5])\.\d s behind the database's$/),
    });
  });

  it.each([
    [421, 'leads to a proxy that sends a host of its own', 'GATEHOUSE_HOSTS'],
    [200, 'something else answers at', 'GATEHOUSE_BASE_URL'],
  ])('knows what answers at the address of the service: a %i', async (status, found, cure) => {
    const server = createServer((_, response) => response.writeHead(status).end('<html>'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const { address } = await findings({ GATEHOUSE_BASE_URL: `http://127.0.0.1:${port}` });
    server.close();
    expect(address).toMatchObject({
      state: 'fail',
      found: expect.stringContaining(found) as Json,
      cure: expect.stringContaining(cure) as Json,
    });
  });

  it.each(redisProgram === null ? [] : ['a queue of its own'])('names the version of %s', async () => {
    const redis = await Redis.start();
    const { queue } = await findings({ REDIS_URL: redis.url });
    expect(queue).toMatchObject({
      state: 'ok',
      found: expect.stringMatching(/^Redis \d+\.\d+.*, Redis at /),
    });
    await redis.remove();
  });
});
