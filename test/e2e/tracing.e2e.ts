import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Client, GatehouseProcess, TestWorkspace } from '../../libs/testing/index.js';
import { Collector } from '../support/collector.js';
import type { CollectedSpan } from '../support/otlp.js';
import { startGatehouse } from '../support/gatehouse.js';
import { mcpClient } from '../support/mcp.js';
import { python, run } from '../support/scripts.js';
import { type Receiver, WebhookBench } from '../support/webhooks.js';

/** In everything that people, scripts and hosts say. */
const MARK = 'xMARKEDx';
const SECRET = `sk_live_${MARK}_secret`;

const ASK = `
import os, sys, urllib.request
print("${MARK} log", file=sys.stderr)
def ask(url, method="GET", data=None):
    request = urllib.request.Request(url, data, {"x-${MARK}": "${MARK}"}, method=method)
    try:
        return urllib.request.urlopen(request).status
    except Exception as error:
        return getattr(error, "code", 0)
ask("https://localhost:PORT/${MARK}/path?query=${MARK}")
ask("https://localhost:PORT/${MARK}/missing", "POST", b"${MARK}")
ask("https://localhost:PORT/${MARK}", "${MARK}")
ask("https://${MARK}.example.com/${MARK}")
open("/outputs/${MARK}.txt", "w").write("${MARK}")
print("${MARK} output")
`;

const newTrace = () => ({
  traceId: randomBytes(16).toString('hex'),
  spanId: randomBytes(8).toString('hex'),
});

const parentOf = (spans: CollectedSpan[], span: CollectedSpan): string | null =>
  spans.find(({ spanId }) => spanId === span.parentId)?.name ?? null;

describe.each(['one process', 'an API process and a worker'] as const)(
  'the trace of a run, in %s',
  (where) => {
    const apart = where !== 'one process';
    let collector: Collector;
    let bench: WebhookBench;
    let worker: GatehouseProcess | null = null;
    let workspace: TestWorkspace;
    let api: Client;
    let receiver: Receiver;
    let port: number;

    beforeAll(async () => {
      collector = await Collector.start();
      const env = {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'api-key=for-the-collector',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      };
      bench = await WebhookBench.start({
        ...env,
        GATEHOUSE_LOG_LEVEL: 'info',
        ...(apart && { GATEHOUSE_ROLE: 'api', OTEL_SERVICE_NAME: 'the-api' }),
      });
      if (apart) {
        worker = await startGatehouse({
          dataDirectory: bench.gatehouse.dataDirectory,
          env: {
            ...env,
            OTEL_SERVICE_NAME: 'the-worker',
            GATEHOUSE_ROLE: 'worker',
            GATEHOUSE_LOG_LEVEL: 'info',
            GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1,::1',
            DATABASE_URL: bench.gatehouse.databaseUrl,
            NODE_EXTRA_CA_CERTS: bench.caFile,
          },
        });
      }
      workspace = await bench.workspace();
      api = bench.client(workspace);
      receiver = await bench.receiver();
      await bench.endpoint(api, `${receiver.url}/${MARK}?query=${MARK}`);
      port = await bench.upstreams.start((request, response) =>
        response.writeHead(request.url!.includes('missing') ? 404 : 200, { 'x-marked': MARK }).end(MARK),
      );
    });
    afterAll(async () => {
      await worker?.stop();
      await bench?.close();
      await collector?.stop();
    });

    const askingScript = async () => {
      await api.put('/v1/workspace/secrets/MARKED', { value: SECRET, hosts: [`localhost:${port}`] });
      return python(api, ASK.replaceAll('PORT', String(port)), {
        command: 'python3 main.py {what}',
        inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
        hosts: [`localhost:${port}`],
        secrets: { MARKED: { header: 'authorization', host: `localhost:${port}` } },
      });
    };

    it('goes from the request over the worker, the sandbox and the gate to the deliveries of its events', async () => {
      const script = await askingScript();
      const { traceId, spanId } = newTrace();
      const traceparent = `00-${traceId}-${spanId}-01`;
      const { body, headers } = await run(api, script, { what: MARK }, { traceparent, 'user-agent': MARK });
      expect(body, JSON.stringify(body)).toMatchObject({ status: 'succeeded' });

      const request = 'POST /v1/scripts/:slug/runs';
      const host = `localhost:${port}`;
      const expected = [
        [request, null],
        ['deliver run.started', request],
        ['run', request],
        ['wait', 'run'],
        ['prepare', 'run'],
        ['start', 'run'],
        ['script', 'run'],
        [`GET ${host}`, 'script'],
        [`POST ${host}`, 'script'],
        ['GET (not declared)', 'script'],
        ['outputs', 'run'],
        ['end', 'run'],
        ['deliver run.succeeded', 'run'],
      ] as const;
      const spans = await collector.trace(traceId, ...expected.map(([name]) => name));
      const tree = spans.map((span) => [span.name, parentOf(spans, span)]);
      expect(tree.sort()).toEqual(expected.map((pair) => [...pair]).sort());
      const named = (name: string): CollectedSpan => spans.find((span) => span.name === name)!;
      expect(named(request)).toMatchObject({ kind: 'server', parentId: spanId, failed: false });
      expect(named(request).attributes).toEqual({
        'http.request.method': 'POST',
        'http.route': '/v1/scripts/:slug/runs',
        'http.response.status_code': 200,
        'gatehouse.request.id': headers.get('x-request-id'),
        'gatehouse.workspace.id': workspace.id,
      });
      expect(named('run')).toMatchObject({
        kind: 'consumer',
        attributes: {
          'gatehouse.run.id': body.id,
          'gatehouse.script.id': script.id,
          'gatehouse.run.outcome': 'succeeded',
          'gatehouse.gate.requests': 2,
        },
      });
      expect(named(`GET ${host}`)).toMatchObject({ kind: 'client', failed: false });
      expect(named(`GET ${host}`).attributes).toEqual({
        'http.request.method': 'GET',
        'server.address': 'localhost',
        'server.port': port,
        'http.response.status_code': 200,
        'gatehouse.gate.refused': false,
      });
      expect(named(`POST ${host}`)).toMatchObject({ failed: true });
      expect(named('GET (not declared)').attributes).toMatchObject({ 'gatehouse.gate.refused': true });
      expect(named('deliver run.succeeded').attributes).toMatchObject({
        'gatehouse.event.type': 'run.succeeded',
        'gatehouse.delivery.ok': true,
        'http.response.status_code': 200,
      });
      const run_ = named('run');
      for (const span of spans.filter(({ parentId }) => parentId === run_.spanId)) {
        expect(span.end, span.name).toBeGreaterThanOrEqual(span.begin);
      }
      expect(named('script').end).toBeLessThanOrEqual(run_.end);
      const from = (name: string) => named(name).resource;
      expect(from(request)).toMatchObject({
        'service.name': apart ? 'the-api' : 'gatehouse',
        'gatehouse.role': apart ? 'api' : 'all',
        'deployment.environment.name': 'test',
      });
      if (apart)
        expect(from('run')).toMatchObject({ 'service.name': 'the-worker', 'gatehouse.role': 'worker' });
    });

    it('is in the log, and not in what receivers get', async () => {
      const script = await python(api, 'print(1)');
      const { traceId, spanId } = newTrace();
      const { body } = await run(api, script, {}, { traceparent: `00-${traceId}-${spanId}-01` });
      const spans = await collector.trace(traceId, 'deliver run.succeeded', 'run');
      const lines = (process: GatehouseProcess): string[] =>
        process
          .output()
          .split('\n')
          .filter((line) => line.includes(`"trace_id":"${traceId}"`));
      const [ofRun] = lines(worker ?? bench.gatehouse).filter((line) => line.includes(body.id));
      expect(JSON.parse(ofRun!)).toMatchObject({
        message: 'A run has succeeded.',
        trace_id: traceId,
        span_id: spans.find(({ name }) => name === 'run')!.spanId,
      });
      await expect
        .poll(() => lines(bench.gatehouse).join())
        .toContain('"message":"POST /v1/scripts/:slug/runs 200"');
      expect(JSON.stringify(receiver.received)).not.toContain(traceId);
    });

    it('says nothing of what people, scripts or hosts say', async () => {
      await collector.span(({ name }) => name === 'GET (not declared)');
      await api.get(`/v1/runs/run_${MARK}?${MARK}=${MARK}`);
      await collector.span(
        ({ name, attributes }) =>
          name === 'GET /v1/runs/:runId' && attributes['http.response.status_code'] === 400,
      );
      const sent = collector.sent.join('\n');
      expect(sent.length).toBeGreaterThan(1_000);
      for (const value of [
        MARK,
        MARK.toLowerCase(),
        workspace.slug,
        workspace.owner.token,
        workspace.owner.email,
      ]) {
        expect(sent).not.toContain(value);
      }
      for (const { name } of collector.spans) expect(name).not.toMatch(/health|metrics/);
      expect(collector.headers[0]).toMatchObject({
        url: '/v1/traces',
        'api-key': 'for-the-collector',
        'content-type': 'application/x-protobuf',
      });
    });

    it('goes on with the run of a trigger', async () => {
      const slow = await python(api, 'print(2)');
      const first = await python(api, 'print(1)');
      const made = await api.post(`/v1/scripts/${slow.slug}/triggers`, {
        name: 'After',
        eventType: 'run.succeeded',
        filter: { 'script.id': first.id },
      });
      expect(made.status, made.text).toBe(201);
      const { traceId, spanId } = newTrace();
      const { body } = await run(api, first, {}, { traceparent: `00-${traceId}-${spanId}-01` });
      const both = async (): Promise<CollectedSpan[]> =>
        (await collector.trace(traceId, 'run')).filter(({ name }) => name === 'run');
      await expect.poll(async () => (await both()).length).toBe(2);
      const [one, other] = await both();
      expect(one!.attributes['gatehouse.run.id']).toBe(body.id);
      expect(other!.attributes['gatehouse.script.id']).toBe(slow.id);
      expect(other!.parentId).toBe(one!.spanId);
    });

    it('begins with a schedule that is due', async () => {
      const script = await python(api, 'print(1)');
      const made = await api.post(`/v1/scripts/${script.slug}/schedules`, {
        name: 'Yearly',
        cron: '@yearly',
      });
      expect(made.status, made.text).toBe(201);
      await bench.pool.query('UPDATE schedules SET next_run_at = now() WHERE id = $1', [made.body.id]);
      const schedule = await collector.span(
        ({ name, attributes }) => name === 'schedule' && attributes['gatehouse.schedule.id'] === made.body.id,
      );
      expect(schedule.parentId).toBeNull();
      const spans = await collector.trace(
        schedule.traceId,
        'run',
        'deliver run.started',
        'deliver run.succeeded',
      );
      expect(
        spans
          .filter(({ parentId }) => parentId === schedule.spanId)
          .map(({ name }) => name)
          .sort(),
      ).toEqual(['deliver run.started', 'run']);
    });

    it('begins with a call of a tool', async () => {
      const script = await python(api, 'print(1)');
      const mcp = await mcpClient(await workspace.owner.agent(), { url: bench.gatehouse.baseUrl });
      const tool = (await mcp.listTools()).tools.find(({ name }) =>
        name.includes(script.slug.replaceAll('-', '_')),
      );
      await mcp.callTool({ name: tool?.name ?? script.slug, arguments: {} });
      await mcp.close();
      const ran = await collector.span(
        ({ name, attributes }) => name === 'run' && attributes['gatehouse.script.id'] === script.id,
      );
      const spans = await collector.trace(ran.traceId, 'POST /mcp', 'run');
      expect(parentOf(spans, ran)).toBe('POST /mcp');
    });

    it('takes from a client where it goes on, and not whether it is recorded', async () => {
      const { traceId, spanId } = newTrace();
      await api.get('/v1/runs', { traceparent: `00-${traceId}-${spanId}-00` });
      expect((await collector.trace(traceId, 'GET /v1/runs'))[0]!.parentId).toBe(spanId);
      const wrong = newTrace();
      await api.get('/v1/scripts', { traceparent: `99-${wrong.traceId}-${wrong.spanId}-01` });
      const listed = await collector.span(({ name }) => name === 'GET /v1/scripts');
      expect(listed).toMatchObject({ parentId: null });
      expect(listed.traceId).not.toBe(wrong.traceId);
    });
  },
);
