import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  type Answer,
  type Client,
  type GatehouseProcess,
  type Json,
  createClient,
  freePort,
} from '../../libs/testing/index.js';
import { startGatehouse } from '../support/gatehouse.js';
import { Prometheus, hasPrometheus, promtool } from '../support/prometheus.js';
import { finished, python, run, runUntil } from '../support/scripts.js';
import { answering, type Receiver, WebhookBench } from '../support/webhooks.js';

const TOKEN = 'a-token-for-prometheus';

const TWO_REQUESTS = `
import urllib.request
for method in ("GET", "POST"):
    try:
        print(urllib.request.urlopen(urllib.request.Request("https://localhost:PORT/", method=method, data=b"" if method == "POST" else None)).status)
    except Exception as error:
        print(getattr(error, "code", error))
`;

/** The value of a line of Prometheus' text format. */
function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? NaN : Number(line.slice(series.length + 1));
}

describe('an API process and a worker that can be looked into', () => {
  let bench: WebhookBench;
  let worker: GatehouseProcess;
  let workerPort: number;
  let api: Client;
  let receiver: Receiver;

  const metricsOf = async (address: string): Promise<string> => {
    const { status, text } = await createClient({ baseUrl: address, token: TOKEN }).get('/metrics');
    expect(status, text).toBe(200);
    return text;
  };
  const ofWorker = (path: string): Promise<Answer> =>
    createClient({ baseUrl: `http://127.0.0.1:${workerPort}` }).get(path);

  beforeAll(async () => {
    bench = await WebhookBench.start({ GATEHOUSE_ROLE: 'api', GATEHOUSE_METRICS_TOKEN: TOKEN });
    workerPort = await freePort();
    worker = await startGatehouse({
      dataDirectory: bench.gatehouse.dataDirectory,
      env: {
        GATEHOUSE_ROLE: 'worker',
        GATEHOUSE_WORKER_PORT: String(workerPort),
        GATEHOUSE_METRICS_TOKEN: TOKEN,
        GATEHOUSE_RUN_CONCURRENCY: '3',
        GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1,::1',
        DATABASE_URL: bench.gatehouse.databaseUrl,
        NODE_EXTRA_CA_CERTS: bench.caFile,
      },
    });
    const scene = await bench.scene();
    scene.receiver.answer = answering(204);
    api = scene.api;
    const port = await bench.upstreams.start((_, response) => response.end('ok'));
    const asking = await python(api, TWO_REQUESTS.replace('PORT', String(port)), {
      hosts: [{ host: `localhost:${port}`, methods: ['GET'] }],
    });
    const failing = await python(api, 'raise SystemExit(3)');
    for (const script of [asking, failing]) {
      await runUntil(api, (await run(api, script)).body.id, finished);
    }
    receiver = scene.receiver;
  });
  afterAll(async () => {
    await worker?.stop();
    await bench?.close();
  });

  it('has a worker that names its own port, and not the address of others', () => {
    expect(worker.output()).toContain(`The worker is ready: health and metrics are on port ${workerPort}.`);
    expect(worker.output()).not.toContain('Gatehouse is ready');
  });

  it('tells how many runs wait, how long they waited, and how they end', async () => {
    // It is counted behind the end that is written down.
    await expect
      .poll(async () =>
        valueOf(await metricsOf(`http://127.0.0.1:${workerPort}`), 'gatehouse_runs_executing'),
      )
      .toBe(0);
    const text = await metricsOf(`http://127.0.0.1:${workerPort}`);
    expect(valueOf(text, 'gatehouse_runs_ended_total{outcome="succeeded"}')).toBe(1);
    expect(valueOf(text, 'gatehouse_runs_ended_total{outcome="failed"}')).toBe(1);
    expect(valueOf(text, 'gatehouse_run_duration_seconds_count{outcome="failed"}')).toBe(1);
    expect(valueOf(text, 'gatehouse_run_wait_seconds_count')).toBe(2);
    expect(valueOf(text, 'gatehouse_run_slots')).toBe(3);
    const queued = await metricsOf(bench.gatehouse.baseUrl);
    expect(valueOf(queued, 'gatehouse_runs_queued')).toBe(0);
    expect(valueOf(queued, 'gatehouse_runs_unplaceable')).toBe(0);
  });

  it('tells what the gate let through and refused', async () => {
    const text = await metricsOf(`http://127.0.0.1:${workerPort}`);
    expect(valueOf(text, 'gatehouse_gate_requests_total{outcome="passed"}')).toBe(1);
    expect(valueOf(text, 'gatehouse_gate_requests_total{outcome="refused"}')).toBe(1);
    expect(valueOf(text, 'gatehouse_gate_bytes_total{direction="out"}')).toBeGreaterThan(50);
  });

  it('tells of deliveries, connections and itself', async () => {
    await receiver.until(1);
    // An attempt is counted behind its response.
    const delivered = 'gatehouse_webhook_attempts_total{outcome="delivered"}';
    await expect
      .poll(async () => valueOf(await metricsOf(`http://127.0.0.1:${workerPort}`), delivered))
      .toBeGreaterThan(0);
    // Each may be in use at one moment.
    const idle = 'gatehouse_database_connections{state="idle"}';
    await expect
      .poll(async () => valueOf(await metricsOf(`http://127.0.0.1:${workerPort}`), idle))
      .toBeGreaterThan(0);
    const text = await metricsOf(`http://127.0.0.1:${workerPort}`);
    expect(valueOf(text, 'gatehouse_webhook_deliveries_due')).toBeGreaterThanOrEqual(0);
    expect(valueOf(text, 'gatehouse_database_pool_size')).toBe(16);
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(valueOf(text, `gatehouse_info{version="${version}",role="worker"}`)).toBe(1);
  });

  it('has a worker that serves supervisors and nothing else', async () => {
    expect((await ofWorker('/health/live')).body).toEqual({ status: 'live' });
    const ready = await ofWorker('/health/ready');
    expect(ready.body.checks).toMatchObject({ database: 'ok', gate: 'ok' });
    for (const path of [
      '/',
      '/v1/workspaces',
      '/v1/auth/session',
      '/docs',
      '/mcp',
      '/health',
      '/health/live/',
    ]) {
      const answer = await ofWorker(path);
      expect([path, answer.status, answer.body.error.code]).toEqual([path, 404, 'not_found']);
    }
    const post = await createClient({ baseUrl: `http://127.0.0.1:${workerPort}` }).post('/v1/auth/login', {});
    expect(post.status).toBe(404);
  });

  describe.skipIf(!hasPrometheus)('by Prometheus', () => {
    let prometheus: Prometheus;

    beforeAll(async () => {
      const { host } = new URL(bench.gatehouse.baseUrl);
      prometheus = await Prometheus.start([host, `127.0.0.1:${workerPort}`], TOKEN);
      await prometheus.until('up{job="gatehouse"}', (up) => up.length === 2 && up.every((one) => one === 1));
      // Rates need two samples.
      await prometheus.until('count_over_time(gatehouse_runs_queued[1m])', ([samples]) => samples! >= 3);
    });
    afterAll(() => prometheus?.stop());

    it('has alerts that each are raised when they should, and load', async () => {
      expect(await promtool('test', 'rules', 'alerts.test.yaml')).toContain('SUCCESS');
      await prometheus.until('ALERTS', (alerts) => alerts.length === 0);
    });

    it('has metrics for every figure of the dashboard', async () => {
      const dashboard = JSON.parse(await readFile('deploy/grafana/gatehouse.json', 'utf8')) as Json;
      const expressions: string[] = dashboard.panels.flatMap((panel: Json) =>
        (panel.targets ?? []).map(({ expr }: Json) => expr),
      );
      expect(expressions.length).toBeGreaterThan(20);
      const without = [];
      for (const expression of expressions) {
        const asked = expression.replaceAll('$job', 'gatehouse').replaceAll('$__rate_interval', '1m');
        if ((await prometheus.query(asked)).length === 0) without.push(expression);
      }
      expect(without).toEqual([]);
    });
  });
});
