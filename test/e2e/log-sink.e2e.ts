import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { GetObjectCommand } from '@aws-sdk/client-s3';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';

import { type GatehouseProcess, type Json, Seed, createClient } from '../../libs/testing/index.js';
import { startBucket } from '../../src/core/storage/s3-server.fixture.js';
import { startGatehouse } from '../support/gatehouse.js';
import { type CollectedLog, readLogs } from '../support/otlp.js';
import { python, run } from '../support/scripts.js';
import { SyslogServer } from '../support/syslog-server.js';

type Gatehouse = GatehouseProcess & { databaseUrl: string };

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(sink: string, env: Record<string, string> = {}): Promise<Gatehouse> {
  const gatehouse = await startGatehouse({
    env: {
      GATEHOUSE_SIGNUP: 'open',
      GATEHOUSE_LOG_SINK: sink,
      GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.0/8',
      ...env,
    },
  });
  ends.push(() => gatehouse.stop());
  return gatehouse;
}

function poolOf({ databaseUrl }: Gatehouse): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  ends.push(() => pool.end());
  return pool;
}

/** Entries of the audit trail that are written past the service, and found by the trigger. */
const addEntries = (pool: pg.Pool, count: number, mark: string) =>
  pool.query(
    `INSERT INTO audit_events (id, workspace_id, action, actor_type)
     SELECT 'aud_' || $2 || lpad(n::text, 6, '0'), 'wks_x', 'run.started', 'system' FROM generate_series(1, $1) AS n`,
    [count, mark],
  );

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const distinct = (numbers: readonly number[]): number[] =>
  [...new Set(numbers)].sort((one, other) => one - other);

async function syslog(): Promise<SyslogServer> {
  const server = await SyslogServer.start();
  ends.push(() => server.stop());
  return server;
}

it('sends entries of the audit trail and ends of runs to syslog, each with its number', async () => {
  const server = await syslog();
  const gatehouse = await start(server.url);
  const workspace = await new Seed(gatehouse.baseUrl, poolOf(gatehouse)).workspace();
  const api = createClient({
    baseUrl: gatehouse.baseUrl,
    token: workspace.owner.token,
    workspace: workspace.slug,
  });
  const { body } = await run(api, await python(api, 'import sys; sys.exit("a-secret-of-the-script")'));
  const ended = (): Json | undefined => server.entries.find(({ kind }) => kind === 'run');
  await expect.poll(ended, { timeout: 20_000 }).toMatchObject({
    action: 'run.failed',
    workspaceId: workspace.id,
    run: { runId: body.id, status: 'failed' },
  });
  expect(JSON.stringify(server.entries)).not.toContain('a-secret-of-the-script');
  expect(server.entries.find(({ action }) => action === 'workspace.created')).toMatchObject({
    kind: 'audit',
    workspaceId: workspace.id,
    actor: { type: 'user', userId: workspace.owner.id },
    target: { type: 'workspace', id: workspace.id },
    details: { slug: workspace.slug },
  });
  expect(server.numbers).toEqual(upTo(server.numbers.length));
}, 60_000);

it('loses nothing while the server is away, or when it is killed, and goes on with the numbers', async () => {
  const server = await syslog();
  const first = await start(server.url);
  const pool = poolOf(first);
  const before = async (): Promise<number> =>
    Number((await pool.query('SELECT last_number AS last FROM log_sinks')).rows[0]?.last ?? 0);
  await addEntries(pool, 700, 'a');
  await expect.poll(() => server.numbers.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(700);
  server.mode = 'reset';
  await addEntries(pool, 300, 'b');
  await expect.poll(() => first.output(), { timeout: 20_000 }).toContain('The log sink takes no entries');
  await first.kill();
  await addEntries(pool, 300, 'c');
  server.mode = 'take';
  const { databaseUrl, dataDirectory } = first;
  const second = await startGatehouse({
    dataDirectory,
    env: {
      DATABASE_URL: databaseUrl,
      GATEHOUSE_LOG_SINK: server.url,
      GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.0/8',
    },
  });
  ends.push(() => second.stop());
  // The lease of a process that was killed ends first.
  await expect
    .poll(() => new Set(server.entries.map(({ id }) => id)).size, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(1300);
  const numbers = distinct(server.numbers);
  expect(numbers).toEqual(upTo(numbers.length));
  expect(numbers.length).toBe(await before());
  const numbered = new Map(server.entries.map(({ number, id }) => [number, id]));
  for (const { number, id } of server.entries) expect(numbered.get(number)).toBe(id);
}, 120_000);

it('sends each once where several processes run', async () => {
  const server = await syslog();
  const first = await start(server.url);
  const second = await start(server.url, { DATABASE_URL: first.databaseUrl });
  const pool = poolOf(first);
  for (const mark of ['a', 'b', 'c', 'd']) {
    await Promise.all([addEntries(pool, 400, `${mark}1`), addEntries(pool, 400, `${mark}2`)]);
  }
  await expect.poll(() => server.numbers.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(3200);
  expect(server.numbers).toEqual(upTo(server.numbers.length));
  expect(second.output()).not.toContain('log sink');
}, 90_000);

it('sends them to a collector as records of OpenTelemetry', async () => {
  const logs: CollectedLog[] = [];
  const paths: (string | undefined)[] = [];
  const collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      paths.push(request.url);
      logs.push(...readLogs(Buffer.concat(chunks)));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
  ends.push(() => new Promise((done) => void collector.close(done).closeAllConnections()));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const gatehouse = await start('otlp', {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_TRACES_EXPORTER: 'none',
  });
  await addEntries(poolOf(gatehouse), 3, 'a');
  await expect.poll(() => logs.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
  expect(new Set(paths)).toEqual(new Set(['/v1/logs']));
  const log = logs.find(({ body }) => body.includes('aud_a000002'))!;
  expect(log.attributes).toMatchObject({
    'gatehouse.entry.kind': 'audit',
    'gatehouse.entry.action': 'run.started',
    'gatehouse.workspace.id': 'wks_x',
  });
  expect(log.resource).toMatchObject({ 'service.name': 'gatehouse' });
  expect(JSON.parse(log.body)).toMatchObject({ number: log.attributes['gatehouse.entry.number'] });
}, 60_000);

it('writes them to a bucket as lines of JSON, in objects by their first number', async () => {
  const { endpoint, bucket, client, keys, stop } = await startBucket();
  ends.push(stop);
  const gatehouse = await start(`s3://${bucket}/audit`, {
    GATEHOUSE_S3_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  });
  await addEntries(poolOf(gatehouse), 1_050, 'a');
  await expect.poll(keys, { timeout: 20_000 }).toHaveLength(2);
  expect((await keys()).sort()).toEqual(['audit/0000000000000001.ndjson', 'audit/0000000000000501.ndjson']);
  const { Body } = await client.send(
    new GetObjectCommand({ Bucket: bucket, Key: 'audit/0000000000000501.ndjson' }),
  );
  const lines = (await text(Body as NodeJS.ReadableStream)).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).number)).toEqual(upTo(1000).slice(500));
}, 60_000);
