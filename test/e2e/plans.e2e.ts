import type { IncomingMessage } from 'node:http';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createClient, type Json } from '../../libs/testing/index.js';
import { aGatedAttacker } from '../security/support/gated.js';
import { archiveOf, finished, newVersion, runUntil, type TestScript } from '../support/scripts.js';

const author = aGatedAttacker();
const SECRET = 'the-token-that-code-may-read';
let port: number;
let arrived: string[] = [];
let host: string;
let usual: TestScript;

/** Sends requests in turn, and returns the statuses and marks of the responses. */
const SEND = `
import http.client, ssl
def send(method, path, body=None, headers={}):
    connection = http.client.HTTPSConnection("localhost", inputs()["port"], timeout=10)
    connection.request(method, path, body=body, headers=headers)
    response = connection.getresponse()
    response.read()
    return [response.status, response.getheader("x-gate-error")]
`;
const WRITES = `${SEND}
found = [send("GET", "/orders"), send("POST", "/orders", '{"amount": 5}', {"content-type": "application/json", "x-api-key": "k"}),
  send("HEAD", "/orders"), send("DELETE", "/orders/1?token=abc"), send("PUT", "/file", bytes([255, 254])), send("OPTIONS", "/")]
print(json.dumps({"found": found, "plan": os.environ.get("GATEHOUSE_PLAN")}))`;

beforeAll(async () => {
  port = await author.upstreams.start((request: IncomingMessage, response) => {
    arrived.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => response.end('served'));
  });
  host = `localhost:${port}`;
  await author.secret('READABLE', SECRET, [host], true);
  usual = await scriptOf('print("1")');
});
beforeEach(() => {
  arrived = [];
});

const scriptOf = (code: string, fields: object = {}): Promise<TestScript> =>
  author.script(code, { hosts: [host], ...fields });

async function planned(of: TestScript, inputs: object = {}, more: object = {}): Promise<Json> {
  const body = { inputs: { port, ...inputs }, plan: true, ...more };
  const started = await author.api.post(`/v1/scripts/${of.slug}/runs`, body);
  expect([200, 202], started.text).toContain(started.status);
  return runUntil(author.api, started.body.id as string, finished);
}

const listOf = async (id: string, query = ''): Promise<Json> =>
  (await author.api.get(`/v1/runs/${id}/planned${query}`)).body;

describe('a plan', () => {
  it('reads, and lists what it would send, of which nothing arrives', async () => {
    const plan = await planned(await scriptOf(WRITES));
    expect(plan).toMatchObject({ status: 'succeeded', error: null, plan: true, plannedRequests: 3 });
    const refused = [409, 'would_have_sent'];
    expect(plan.output).toEqual({
      found: [[200, null], refused, [200, null], refused, refused, [200, null]],
      plan: '1',
    });
    expect(arrived).toEqual(['GET /orders', 'HEAD /orders', 'OPTIONS /']);
    const { items, nextCursor } = await listOf(plan.id);
    expect(nextCursor).toBeNull();
    expect(items).toMatchObject([
      {
        number: 1,
        protocol: 'https',
        host,
        method: 'POST',
        target: '/orders',
        body: { text: '{"amount": 5}', bytes: 13, sha256: null },
      },
      { number: 2, method: 'DELETE', target: '/orders/1?token=***', body: { bytes: 0 } },
      {
        number: 3,
        method: 'PUT',
        body: { text: null, bytes: 2, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    ]);
    expect(items[0].headers).toContainEqual({ name: 'x-api-key', value: '***' });
    expect(items[0].headers).toContainEqual({ name: 'content-type', value: 'application/json' });
    expect(Date.parse(items[0].at)).toBeGreaterThan(Date.parse(plan.startedAt) - 60_000);
    expect(await author.log(plan.id)).toContain('the run is only planned, so it was not sent');
    expect(plan.network).toMatchObject([{ host, requests: 3, denied: 3 }]);
  });

  it('gets the responses that its version declares, and a run those of the host', async () => {
    const code = `
import http.client
connection = http.client.HTTPSConnection("localhost", inputs()["port"])
connection.request("POST", "/charges", body="{}")
response = connection.getresponse()
print(json.dumps([response.status, response.getheader("content-type"), response.read().decode()]))`;
    const plan = { status: 201, body: '{"id": "ch_1"}' };
    const hosts = [{ host, methods: ['POST'], paths: ['/charges'], plan }];
    const script = await scriptOf(code, { hosts });
    const stored = { ...plan, contentType: 'application/json' };
    const { body } = await author.api.get(`/v1/scripts/${script.slug}/versions/1`);
    expect(body.hostRules).toEqual([{ ...hosts[0], plan: stored }]);
    const end = await planned(script);
    expect(end).toMatchObject({ status: 'succeeded', plannedRequests: 1 });
    expect(end.output).toEqual([201, 'application/json', plan.body]);
    expect((await listOf(end.id)).items).toMatchObject([{ method: 'POST', target: '/charges' }]);
    expect(arrived).toEqual([]);
    expect((await author.run(script, { port })).output).toEqual([200, null, 'served']);
    expect(arrived).toEqual(['POST /charges']);
  });

  it.each([
    [{ plan: 201 }, 'plan', 'must be an object'],
    [{ plan: {} }, 'plan.status', 'from 200 to 599'],
    [{ plan: { status: 101 } }, 'plan.status', 'from 200 to 599'],
    [{ plan: { status: 200, headers: {} } }, 'plan.headers', 'is not a field'],
    [{ plan: { status: 200, body: { id: 1 } } }, 'plan.body', 'must be a text'],
    [{ plan: { status: 200, body: 'é'.repeat(2049) } }, 'plan.body', 'at most 4096 bytes'],
    [{ plan: { status: 204, body: 'x' } }, 'plan.body', 'left out with 204'],
    [{ plan: { status: 200, contentType: 'text/csv' } }, 'plan.contentType', 'there is no body'],
    [{ plan: { status: 200, body: 'x', contentType: 'a/b\r\nx: y' } }, 'plan.contentType', 'media type'],
    [{ protocol: 'tls', plan: { status: 200 } }, 'plan', 'is for http and https'],
    [{ protocol: 'postgres', plan: { status: 200 } }, 'plan', 'is for http and https'],
  ])('refuses a version with %j', async (fields, path, message) => {
    const { status, body } = await author.api.post(`/v1/scripts/${usual.slug}/versions`, {
      archive: await archiveOf({ 'main.py': '' }),
      hosts: [{ host: 'api.example.com', ...fields }],
    });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([
      { path: `hosts.0.${path}`, message: expect.stringContaining(message) },
    ]);
  });

  it('masks the secrets that its code knows, wherever they stand', async () => {
    const code = `${SEND}
secret = os.environ["READABLE"]
send("POST", "/" + secret, "a " + secret, {"x-note": secret})
print("1")`;
    const plan = await planned(await scriptOf(code, { env: ['READABLE'] }));
    const list = await author.api.get(`/v1/runs/${plan.id}/planned`);
    expect(list.body.items).toHaveLength(1);
    expect(list.text).not.toContain(SECRET);
    const { rows } = await author.database.query(
      'SELECT p::text AS text FROM run_planned_requests p WHERE run_id = $1',
      [plan.id],
    );
    expect(rows[0].text).not.toContain(SECRET);
  });

  it('lists 200 and counts the others, page by page', async () => {
    const code = `${SEND}
connection = http.client.HTTPSConnection("localhost", inputs()["port"])
for n in range(203):
    connection.request("POST", f"/{n}", body="x" * (16000 if n < 70 else 1))
    connection.getresponse().read()
print("1")`;
    const plan = await planned(await scriptOf(code));
    expect(plan).toMatchObject({ status: 'succeeded', plannedRequests: 203 });
    const all: Json[] = [];
    let cursor: string | null = null;
    do {
      const page: Json = await listOf(plan.id, `?limit=90${cursor === null ? '' : `&cursor=${cursor}`}`);
      all.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(all.map(({ target }) => target as string)).toEqual(Array.from({ length: 200 }, (_, n) => `/${n}`));
    const text = all.reduce((sum: number, { body }) => sum + (body.text?.length ?? 0), 0);
    expect(text).toBeLessThanOrEqual(1024 * 1024);
    expect(all.filter(({ body }) => body.text === null)).toHaveLength(5);
  });

  it('is no run for events, statistics, errors and counts, and one for usage and the audit log', async () => {
    const { api, database } = author;
    const script = await scriptOf(`${SEND}\nsend("POST", "/")\nraise SystemExit(3)`);
    const before = (await api.get('/v1/workspace/usage')).body;
    const plan = await planned(script);
    expect(plan).toMatchObject({ status: 'failed', plan: true });
    const after = (await api.get('/v1/workspace/usage')).body;
    expect(JSON.stringify(after)).not.toBe(JSON.stringify(before));
    const { rows } = await database.query(
      `SELECT (SELECT count(*)::int FROM events WHERE caused_by_run_id = $1 OR data ->> 'runId' = $1) AS events,
         (SELECT count(*)::int FROM audit_events WHERE target_id = $1 AND action = 'run.started') AS audited,
         (SELECT count(*)::int FROM script_activity WHERE script_id = $2) AS activity,
         (SELECT count(*)::int FROM script_people WHERE script_id = $2) AS people`,
      [plan.id, script.id],
    );
    expect(rows).toEqual([{ events: 0, audited: 1, activity: 0, people: 0 }]);
    // What follows a run's end comes after its event, so a run that ends later has all of it first.
    const ran = await author.run(script, { port });
    expect(ran).toMatchObject({ status: 'failed', plan: false, plannedRequests: 0 });
    await expect
      .poll(async () => (await api.get(`/v1/runs/statistics?script=${script.slug}`)).body.totals)
      .toMatchObject({ failed: 1 });
    await expect
      .poll(async () => (await api.get(`/v1/errors?script=${script.slug}`)).body.items)
      .toMatchObject([{ count: 1 }]);
    expect((await listOf(ran.id)).items).toEqual([]);
    expect(arrived).toEqual(['POST /']);
  });

  it('is held for approval as a run, in words of its own', async () => {
    const { api, database } = author;
    const script = await scriptOf('print("1")');
    expect((await api.patch(`/v1/scripts/${script.slug}`, { approvalPolicy: 'always' })).status).toBe(200);
    const { status, body } = await api.post(`/v1/scripts/${script.slug}/runs`, { plan: true });
    expect([status, body.status, body.plan]).toEqual([202, 'awaiting_approval', true]);
    const { rows } = await database.query('SELECT summary, input FROM approval_requests WHERE id = $1', [
      body.approvalRequestId,
    ]);
    expect(rows[0].summary).toContain('Plan a run of version 1');
    expect(rows[0].summary).toContain('It only reads. It may reach');
    expect(rows[0].input).toMatchObject({ plan: true });
    expect((await api.post(`/v1/runs/${body.id}/cancel`)).body).toMatchObject({ status: 'cancelled' });
  });

  it('is found and left out by `plan`, and planned where it is run again', async () => {
    const { api } = author;
    const script = await scriptOf(`${SEND}\nprint(json.dumps(send("POST", "/")[0]))`);
    const [plan, ran] = [await planned(script), await author.run(script, { port })];
    expect([plan.output, ran.output]).toEqual([409, 200]);
    const ids = async (query: string): Promise<string[]> =>
      (await api.get(`/v1/runs?script=${script.slug}${query}`)).body.items.map(
        ({ id }: Json) => id as string,
      );
    expect(await ids('')).toEqual([ran.id, plan.id]);
    expect(await ids('&plan=true')).toEqual([plan.id]);
    expect(await ids('&plan=false')).toEqual([ran.id]);
    expect((await api.get('/v1/runs?plan=maybe')).status).toBe(400);
    const again = await api.post(`/v1/runs/${plan.id}/rerun`);
    const end = await runUntil(api, again.body.id as string, finished);
    expect(end).toMatchObject({ plan: true, output: 409, causedBy: { type: 'rerun', id: plan.id } });
    expect(arrived).toEqual(['POST /']);
  });

  it('is never tried again, waits for nobody, and is not part of a batch', async () => {
    const { api } = author;
    const script = await scriptOf('raise SystemExit(1)', {
      retry: { attempts: 3, delay: 0 },
      concurrency: { limit: 1, key: '' },
      debounce: { key: '', wait: 60 },
    });
    expect(await planned(script)).toMatchObject({
      ...{
        status: 'failed',
        attempt: 1,
        phase: 'finished',
        concurrencyKey: null,
        debounce: null,
        queue: null,
      },
      attempts: [{ attempt: 1 }],
    });
    const start = (body: object) => api.post(`/v1/scripts/${script.slug}/runs`, body);
    const refused = await start({ plan: true, retry: { attempts: 2 } });
    expect([refused.status, refused.body.error.details]).toMatchObject([400, [{ path: 'retry' }]]);
    expect((await start({ plan: 'yes' })).status).toBe(400);
    const batch = await api.post(`/v1/scripts/${script.slug}/runs/batch`, { inputs: [{}], plan: true });
    expect([batch.status, batch.body.error.details]).toMatchObject([400, [{ path: 'plan' }]]);
  });

  it('plans a version that is tested, and a trial', async () => {
    const { api } = author;
    const script = await scriptOf('print("1")');
    await newVersion(api, script.slug, { 'main.py': 'import os\nprint(os.environ["GATEHOUSE_PLAN"])' });
    const tested = await api.post(`/v1/scripts/${script.slug}/versions/2/runs`, { plan: true });
    expect(tested.body).toMatchObject({ status: 'succeeded', test: true, plan: true, output: 1 });
  });

  it('is seen by those who may see the run alone', async () => {
    const plan = await planned(await scriptOf(WRITES));
    const other = createClient({ baseUrl: author.gatehouse.baseUrl });
    expect((await other.get(`/v1/runs/${plan.id}/planned`)).status).toBe(401);
    expect((await author.api.get(`/v1/runs/run_${'0'.repeat(26)}/planned`)).status).toBe(404);
  });

  it('keeps its list as long as its run', async () => {
    const { database } = author;
    const plan = await planned(await scriptOf(WRITES));
    await database.query('DELETE FROM runs WHERE id = $1', [plan.id]);
    const { rows } = await database.query('SELECT FROM run_planned_requests WHERE run_id = $1', [plan.id]);
    expect(rows).toEqual([]);
  });
});
