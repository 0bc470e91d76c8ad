import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { GetObjectCommand } from '@aws-sdk/client-s3';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { CertificateAuthority } from '../../libs/egress/index.js';
import { type GatehouseProcess, type Json, Seed, createClient } from '../../libs/testing/index.js';
import { startBucket } from '../../src/core/storage/s3-server.fixture.js';
import { copiedPlace, startGatehouse } from '../support/gatehouse.js';
import { type CollectedLog, readLogs } from '../support/otlp.js';
import { python, run } from '../support/scripts.js';
import { SyslogServer } from '../support/syslog-server.js';
import { type Identity, Upstreams } from '../support/upstream.js';

type Gatehouse = GatehouseProcess & { databaseUrl: string };

const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(sink: string, env: Record<string, string> = {}): Promise<Gatehouse> {
  const gatehouse = await startGatehouse({
    env: { GATEHOUSE_SIGNUP: 'open', GATEHOUSE_LOG_SINK: sink, ...env },
  });
  ends.push(() => gatehouse.stop());
  return gatehouse;
}

function poolOf({ databaseUrl }: Pick<Gatehouse, 'databaseUrl'>): pg.Pool {
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

async function syslog(): Promise<SyslogServer> {
  const server = await SyslogServer.start();
  ends.push(() => server.stop());
  return server;
}

/** A collector of OpenTelemetry, at that port. */
async function collectorPort(listener: RequestListener): Promise<number> {
  const collector = createServer(listener);
  await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
  ends.push(() => new Promise((done) => void collector.close(done).closeAllConnections()));
  return (collector.address() as AddressInfo).port;
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
  await expect.poll(ended).toMatchObject({
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
});

it('sends again what a server has not taken, and tells how far it is behind', async () => {
  const server = await syslog();
  server.mode = 'reset';
  const gatehouse = await start(server.url);
  const lag = async (): Promise<number> => {
    const { text: metrics } = await createClient({ baseUrl: gatehouse.baseUrl }).get('/metrics');
    return Number(/^gatehouse_log_sink_lag_seconds (.*)$/m.exec(metrics)![1]);
  };
  await addEntries(poolOf(gatehouse), 700, 'a');
  await expect.poll(gatehouse.output).toContain('The log sink takes no entries');
  await expect.poll(lag).toBeGreaterThan(1);
  server.mode = 'take';
  await expect.poll(() => server.numbers).toEqual(upTo(700));
  await expect.poll(lag).toBe(0);
  await expect.poll(gatehouse.output).toContain('The log sink takes entries again');
});

it('sends nothing from a restored copy that was not told to go on', async () => {
  const server = await syslog();
  const { dataDirectory, databaseUrl } = await copiedPlace();
  const pool = poolOf({ databaseUrl });
  await pool.query(`CREATE TABLE restored_copy (begun_at timestamptz NOT NULL, finished_at timestamptz);
    INSERT INTO restored_copy VALUES (now(), now());
    INSERT INTO log_sinks (id, wanted_until, last_number) VALUES ('sink', now() + interval '1 day', 41)`);
  await addEntries(pool, 1, 'a');
  const gatehouse = await startGatehouse({
    dataDirectory,
    env: { DATABASE_URL: databaseUrl, GATEHOUSE_LOG_SINK: server.url },
  });
  ends.push(() => gatehouse.stop());
  const seconds = async (): Promise<number> =>
    (await pool.query('SELECT coalesce(max(seconds), 0)::int AS seconds FROM lease_clock')).rows[0].seconds;
  const begun = await seconds();
  await expect.poll(seconds).toBeGreaterThan(begun + 3);
  expect(server.entries).toEqual([]);
  await pool.query('DROP TABLE restored_copy');
  await expect.poll(() => server.numbers).toEqual([42]);
});

describe('over TLS', () => {
  const upstreams = new Upstreams();
  let caFile: string;

  beforeAll(async () => {
    caFile = await upstreams.caFile();
  });
  afterAll(() => upstreams.close());

  /** A service that is to send an entry to a server with that certificate. */
  async function sending(server: SyslogServer, identity: Identity): Promise<Gatehouse> {
    const port = await upstreams.startTls((socket) => server.take(socket), identity);
    const gatehouse = await start(`syslog+tls://localhost:${port}`, {
      NODE_EXTRA_CA_CERTS: caFile,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    });
    await addEntries(poolOf(gatehouse), 1, 'a');
    return gatehouse;
  }

  it('sends them to a syslog server whose certificate is right', async () => {
    const server = await syslog();
    await sending(server, {});
    await expect.poll(() => server.numbers).toEqual([1]);
  });

  it.each<[string, Identity]>([
    ['for another host', { names: ['elsewhere.example'] }],
    ['of an authority that nobody knows', { authority: new CertificateAuthority() }],
    ['that has expired', { notBefore: new Date(0), notAfter: new Date(86_400_000) }],
  ])(
    'sends nothing to one with a certificate %s, whatever turns checks off elsewhere',
    async (_, identity) => {
      const server = await syslog();
      const gatehouse = await sending(server, identity);
      await expect.poll(gatehouse.output).toContain('The log sink takes no entries');
      expect(server.entries).toEqual([]);
    },
  );
});

it('sends each once where several processes run', async () => {
  const server = await syslog();
  const first = await start(server.url);
  const second = await start(server.url, { DATABASE_URL: first.databaseUrl });
  const pool = poolOf(first);
  for (const mark of ['a', 'b', 'c', 'd']) {
    await Promise.all([addEntries(pool, 400, `${mark}1`), addEntries(pool, 400, `${mark}2`)]);
  }
  await expect.poll(() => server.numbers.length).toBeGreaterThanOrEqual(3200);
  expect(server.numbers).toEqual(upTo(server.numbers.length));
  expect(second.output()).not.toContain('log sink');
});

it('sends them to a collector as records of OpenTelemetry', async () => {
  const logs: CollectedLog[] = [];
  const paths: (string | undefined)[] = [];
  const port = await collectorPort((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      paths.push(request.url);
      logs.push(...readLogs(Buffer.concat(chunks)));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  const gatehouse = await start('otlp', {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_TRACES_EXPORTER: 'none',
  });
  await addEntries(poolOf(gatehouse), 3, 'a');
  await expect.poll(() => logs.length).toBeGreaterThanOrEqual(3);
  expect(new Set(paths)).toEqual(new Set(['/v1/logs']));
  const log = logs.find(({ body }) => body.includes('aud_a000002'))!;
  expect(log.attributes).toMatchObject({
    'gatehouse.entry.kind': 'audit',
    'gatehouse.entry.action': 'run.started',
    'gatehouse.workspace.id': 'wks_x',
  });
  expect(log.resource).toMatchObject({ 'service.name': 'gatehouse' });
  expect(JSON.parse(log.body)).toMatchObject({ number: log.attributes['gatehouse.entry.number'] });
});

it.each<[string, (response: ServerResponse) => void]>([
  ['refuses them', (response) => response.writeHead(401).end('a-secret-body')],
  ['hangs up', (response) => response.destroy()],
])('says that a collector %s, and nothing of its address and headers', async (_, respond) => {
  const port = await collectorPort((__, response) => respond(response));
  const gatehouse = await start('otlp', {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:a-secret-password@127.0.0.1:${port}/a-secret-path`,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a-secret-key',
    OTEL_EXPORTER_OTLP_TIMEOUT: '3000',
    OTEL_TRACES_EXPORTER: 'none',
  });
  await addEntries(poolOf(gatehouse), 1, 'a');
  await expect.poll(gatehouse.output).toContain('The log sink takes no entries');
  expect(gatehouse.output()).not.toContain('a-secret');
});

it('writes them to a bucket as lines of JSON, in objects by their first number', async () => {
  const { endpoint, bucket, client, keys, stop } = await startBucket();
  ends.push(stop);
  const gatehouse = await start(`s3://${bucket}/audit`, {
    GATEHOUSE_S3_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  });
  await addEntries(poolOf(gatehouse), 1_050, 'a');
  const second = 'audit/0000000000000501-aud_a000501.ndjson';
  await expect.poll(keys).toHaveLength(2);
  expect((await keys()).sort()).toEqual(['audit/0000000000000001-aud_a000001.ndjson', second]);
  const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: second }));
  const lines = (await text(Body as NodeJS.ReadableStream)).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).number)).toEqual(upTo(1000).slice(500));
});
