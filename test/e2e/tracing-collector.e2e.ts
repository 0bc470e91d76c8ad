import { setTimeout as sleep } from 'node:timers/promises';

import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';

import { type GatehouseProcess, Seed, createClient, freePort } from '../../libs/testing/index.js';
import { Collector } from '../support/collector.js';
import { startGatehouse } from '../support/gatehouse.js';
import { python, run, runUntil } from '../support/scripts.js';

/** Prints at the end which of OpenTelemetry's packages were loaded. */
const TELL_LOADED = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      const [name] = /@opentelemetry\\/[^/]+/.exec(url) ?? [];
      if (name) packages.add(name);
      return next(url, context);
    },
  });
  process.on('exit', () => writeSync(1, 'LOADED ' + JSON.stringify([...packages].sort()) + '\\n'));`)}`;

let collector: Collector | undefined;
let gatehouse: (GatehouseProcess & { databaseUrl: string }) | undefined;

afterEach(async () => {
  await gatehouse?.stop();
  gatehouse = undefined;
  await collector?.stop();
  collector = undefined;
});

/** A service with these variables that has carried out a run. */
async function afterRun(env: Record<string, string>) {
  gatehouse = await startGatehouse({ env: { GATEHOUSE_SIGNUP: 'open', ...env } });
  const { baseUrl, databaseUrl } = gatehouse;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const workspace = await new Seed(baseUrl, pool).workspace();
  const api = createClient({ baseUrl, token: workspace.owner.token, workspace: workspace.slug });
  const script = await python(api, 'print(1)');
  const { body } = await run(api, script);
  expect(body).toMatchObject({ status: 'succeeded', output: 1 });
  const { rows } = await pool.query<{ traceparent: string | null }>(
    `SELECT traceparent FROM runs WHERE id = $1
     UNION ALL SELECT traceparent FROM events WHERE data ->> 'runId' = $1`,
    [body.id],
  );
  await pool.end();
  return { api, script, traceparents: rows.map(({ traceparent }) => traceparent) };
}

/** Ends it in order, and says how long that took and which of OpenTelemetry's packages it had loaded. */
async function stop(): Promise<{ code: number | null; loaded: string[] }> {
  const { process, output } = gatehouse!;
  await gatehouse!.stop();
  gatehouse = undefined;
  const said = /^LOADED (.*)$/m.exec(output())?.[1];
  return { code: process.exitCode, loaded: said === undefined ? [] : (JSON.parse(said) as string[]) };
}

describe('without a collector', () => {
  const SDK = [
    '@opentelemetry/sdk-trace',
    '@opentelemetry/exporter-trace-otlp-proto',
    '@opentelemetry/resources',
  ];

  it('there is no tracing and nothing of it is loaded', async () => {
    // With an address that the settings switch off, which is the same as none.
    const { traceparents } = await afterRun({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_TRACES_EXPORTER: 'none',
      NODE_OPTIONS: `--import=${TELL_LOADED}`,
    });
    expect(traceparents).toEqual([null, null, null]);
    const { loaded, code } = await stop();
    expect(code).toBe(0);
    for (const name of SDK) expect(loaded).not.toContain(name);
  });

  it('which a service with one has', async () => {
    collector = await Collector.start();
    const { traceparents } = await afterRun({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/path`,
      NODE_OPTIONS: `--import=${TELL_LOADED}`,
    });
    const form = expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) as unknown;
    expect(traceparents).toEqual([form, form, form]);
    expect((await stop()).loaded).toEqual(expect.arrayContaining(SDK));
    expect(collector.headers[0]).toMatchObject({ url: '/own/path' });
  });
});

describe('with a sampler that records nothing', () => {
  it('nothing is sent, and rows say so to other processes', async () => {
    collector = await Collector.start();
    const { traceparents } = await afterRun({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'always_off',
    });
    for (const traceparent of traceparents) expect(traceparent).toMatch(/-00$/);
    await stop();
    expect(collector.spans).toEqual([]);
  });
});

describe('a collector', () => {
  it('that goes away loses spans and nothing else, and the log says so once', async () => {
    const { api, script } = await afterRun({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:marked@127.0.0.1:${await freePort()}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
    });
    const warnings = (): string[] =>
      gatehouse!
        .output()
        .split('\n')
        .filter((line) => line.includes('Traces cannot be sent'));
    await expect.poll(() => warnings().length).toBe(1);
    for (let count = 0; count < 5; count++) {
      expect((await run(api, script)).body).toMatchObject({ status: 'succeeded' });
      await sleep(500);
    }
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toContain('ECONNREFUSED');
    expect(gatehouse!.output()).not.toContain('marked');
    expect(await stop()).toMatchObject({ code: 0 });
  });

  it('that hangs slows down nothing, and is not waited for at the stop', async () => {
    collector = await Collector.start();
    collector.mode = 'hang';
    const { api, script } = await afterRun({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    await expect.poll(() => collector!.sent.length).toBeGreaterThan(0);
    for (let count = 0; count < 5; count++) {
      expect((await run(api, script)).body).toMatchObject({ status: 'succeeded' });
    }
    expect(await stop()).toMatchObject({ code: 0 });
  });

  it('gets at the stop what was not sent yet', async () => {
    collector = await Collector.start();
    const { api } = await afterRun({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const script = await python(api, 'import time; time.sleep(3)', { timeout: 60 });
    const { body } = await run(api, script);
    await runUntil(api, body.id, ({ phase }) => phase === 'executing');
    // The run ends while the process does.
    await stop();
    const ran = collector.spans.filter(({ name }) => name === 'run');
    expect(ran.map(({ attributes }) => attributes['gatehouse.run.id'])).toContain(body.id);
  });
});
