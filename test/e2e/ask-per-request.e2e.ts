import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type Client, createClient, type Json } from '../../libs/testing/index.js';
import { aGatedAttacker } from '../security/support/gated.js';
import { archiveOf, finished, run, runUntil, type TestScript } from '../support/scripts.js';

/** Its scripts send requests that people are asked about. */
const author = aGatedAttacker();
let owner: Client;
let port: number;
let script: TestScript;
let arrived: string[] = [];

const SECRET = 'sk_live_9fQ2mXw7Lr4TzB1cVn8K';
const IN_ENV = 'env_5hT8yWq2Zk7Pn3Rb6Md1';
const REQUESTS = '/v1/workspace/approval-requests';

/** Sends each of the requests on a connection of its own, all at once, and tells their statuses and bodies. */
const SEND = `
i = inputs()
def send(line, headers, body):
    with connect(i["port"], timeout=120) as s:
        s.sendall(("%s HTTP/1.1\\r\\nHost: localhost:%d\\r\\nContent-Length: %d\\r\\n%s\\r\\n%s" % (line, i["port"], len(body), headers, body)).encode())
        text = read(s).decode()
        return [int(text[9:12]), "served" if "served" in text else text.partition("\\r\\n\\r\\n")[2]]
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(32) as pool:
    print(json.dumps(list(pool.map(lambda r: send(*r), i["requests"]))))`;

beforeAll(async () => {
  const { workspace, gatehouse } = author;
  owner = createClient({
    baseUrl: gatehouse.baseUrl,
    cookie: workspace.owner.cookie,
    workspace: workspace.slug,
  });
  port = await author.upstreams.start((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      arrived.push(`${request.method} ${request.url} ${body} ${request.headers['x-api-key']}`);
      response.end('served');
    });
  });
  const host = `localhost:${port}`;
  await author.secret('KEY', SECRET, [host]);
  await author.secret('IN_ENV', IN_ENV, [host], true);
  script = await author.script(SEND, {
    hosts: [
      { host, methods: ['POST'], paths: ['/v1/charges'], ask: 'always' },
      { host, methods: ['GET'] },
    ],
    secrets: { KEY: { header: 'x-api-key' } },
    env: ['IN_ENV'],
    timeout: 60,
  });
});
beforeEach(() => {
  arrived = [];
});

type Sent = [line: string, headers: string, body: string];

const begin = (requests: Sent[], of = script): Promise<string> => author.begin(of, { port, requests });
const charge = (body: string, headers = ''): Sent => ['POST /v1/charges', headers, body];

/** The questions that fit and wait, once there are so many. */
async function waiting(fits: (question: Json) => boolean, count: number): Promise<Json[]> {
  const own = async (): Promise<Json[]> => {
    const { body } = await owner.get(`${REQUESTS}?status=pending&limit=100`);
    return (body.items as Json[]).filter(fits);
  };
  await expect.poll(async () => (await own()).length).toBe(count);
  return own();
}

const questions = (runId: string): Promise<Json[]> => waiting((question) => question.runId === runId, 1);

async function decide(question: Json, how: 'approve' | 'deny', reason?: string): Promise<Json> {
  const answer = await owner.post(`${REQUESTS}/${question.id}/${how}`, reason ? { reason } : {});
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const endOf = (runId: string): Promise<Json> => runUntil(author.api, runId, finished);

describe('a request that a person is asked about', () => {
  it('is shown masked, and sent as it is after a yes, while the run goes on', async () => {
    const body = JSON.stringify({ amount: 500, note: IN_ENV });
    const headers = 'Authorization: Bearer abc\r\nX-Api-Key: placeholder\r\nX-Note: hi\r\n';
    const id = await begin([
      ['POST /v1/charges?my_token=abc&b=1', headers, body],
      ['GET /free', '', ''],
    ]);
    const [question] = await questions(id);
    await expect.poll(() => arrived).toEqual([`GET /free  ${SECRET}`]);
    expect(question).toMatchObject({
      action: 'request.send',
      status: 'pending',
      runId: id,
      requestedBy: author.workspace.owner.id,
      summary: `Send POST https://localhost:${port}/v1/charges, with a body of ${body.length} bytes, for version 1 of the script ${script.slug} (${script.slug}) in production. None like it is known that was approved before.`,
      input: {
        script: script.slug,
        method: 'POST',
        address: `https://localhost:${port}/v1/charges`,
        query: 'my_token=***&b=1',
        body: '{\n  "amount": 500,\n  "note": "***"\n}',
        bodyBytes: body.length,
        bodyCut: false,
        // Something of it is masked.
        bodySha256: null,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        lastApprovedAt: null,
        changes: [],
      },
    });
    expect(question!.input.headers).toEqual(
      expect.arrayContaining(['Authorization: ***', 'X-Api-Key: ***', 'X-Note: hi']),
    );
    expect(Date.parse(question!.expiresAt) - Date.parse(question!.createdAt)).toBe(15 * 60_000);
    expect(await decide(question!, 'approve')).toMatchObject({ status: 'completed', result: { runId: id } });
    expect(await endOf(id)).toMatchObject({
      status: 'succeeded',
      output: [
        [200, 'served'],
        [200, 'served'],
      ],
    });
    expect(arrived).toContain(`POST /v1/charges?my_token=abc&b=1 ${body} ${SECRET}`);
    const log = await author.log(id);
    expect(log).toContain(`POST localhost:${port}/v1/charges waits until a person has approved it`);
    expect(log).toContain('was approved, and is sent');
    expect(log).not.toContain('my_token');
  });

  it('is answered with the words of whoever denies it', async () => {
    const id = await begin([charge('no')]);
    await decide((await questions(id))[0]!, 'deny', 'not on a Friday');
    const end = await endOf(id);
    expect(end.output[0][0]).toBe(403);
    expect(JSON.parse(end.output[0][1])).toEqual({
      error: {
        code: 'request_not_approved',
        message:
          "This request needs a person's approval, and was not sent: a person denied it: not on a Friday.",
      },
    });
    expect(await author.log(id)).toContain('it was not approved: a person denied it: not on a Friday');
    expect(arrived).toEqual([]);
  });

  it('is not sent when nobody decides in time', async () => {
    const id = await begin([charge('late')]);
    const [question] = await questions(id);
    await author.database.query('UPDATE approval_requests SET expires_at = now() WHERE id = $1', [
      question!.id,
    ]);
    const end = await endOf(id);
    expect(end.output[0]).toEqual([403, expect.stringContaining('nobody approved it within 15 minutes')]);
    expect(arrived).toEqual([]);
  });

  it('is compared with the one that was approved last', async () => {
    const send = async (body: string): Promise<Json> => {
      const id = await begin([charge(`${body}\nsame`, 'X-Same: 1\r\n')]);
      const [question] = await questions(id);
      await decide(question!, 'approve');
      await endOf(id);
      return question!;
    };
    const first = await send('one');
    const again = await send('one');
    expect(again.input).toMatchObject({ changes: [], sha256: first.input.sha256 });
    expect(again.summary).toContain('It is the same as the one that was approved on ');
    const other = await send('two');
    expect(other.input.changes).toEqual(['- one', '+ two']);
    expect(other.input.lastApprovedAt).not.toBeNull();
    expect(other.summary).toContain('It differs from the one that was approved on ');
  });

  it('is sent only if it is what was approved', async () => {
    const id = await begin([charge('honest')]);
    const [question] = await questions(id);
    // As if what waits at the gate were another one.
    await author.database.query(
      `UPDATE approval_requests SET input = jsonb_set(input::jsonb, '{sha256}', '"${'0'.repeat(64)}"')::json WHERE id = $1`,
      [question!.id],
    );
    await decide(question!, 'approve');
    expect((await endOf(id)).output[0][0]).toBe(403);
    expect(arrived).toEqual([]);
  });

  it('is decided once', async () => {
    const id = await begin([charge('once')]);
    const [question] = await questions(id);
    const answers = await Promise.all(
      ['approve', 'deny', 'approve'].map((how) => owner.post(`${REQUESTS}/${question!.id}/${how}`, {})),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const sent = answers.findIndex(({ status }) => status === 200) !== 1;
    expect((await endOf(id)).output[0][0]).toBe(sent ? 200 : 403);
    expect(arrived).toHaveLength(sent ? 1 : 0);
  });

  it('is asked about by plain HTTP as well', async () => {
    const plain = createServer((request, response) => {
      arrived.push(`${request.method} ${request.url}`);
      response.end('served');
    });
    await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done));
    const host = `localhost:${(plain.address() as AddressInfo).port}`;
    try {
      const made = await author.script(
        `
import urllib.request
print(urllib.request.urlopen("http://${host}/pay", data=b"1", timeout=100).status)`,
        { hosts: [{ host, protocol: 'http', methods: ['POST'], ask: 'always' }], timeout: 60 },
      );
      const id = await author.begin(made);
      const [question] = await questions(id);
      expect([question!.input.address, arrived]).toEqual([`http://${host}/pay`, []]);
      await decide(question!, 'approve');
      expect((await endOf(id)).output).toBe(200);
    } finally {
      plain.close();
    }
    expect(arrived).toEqual(['POST /pay']);
  });

  it('is nothing that anybody could file', async () => {
    const asked = await author.api.post(REQUESTS, {
      action: 'request.send',
      input: {},
      reason: 'I want to',
    });
    expect(asked.status).toBe(400);
    const { body } = await author.api.get('/v1/workspace/approval-actions');
    expect(body.items.map(({ id }: Json) => id)).not.toContain('request.send');
  });
});

describe('a run whose requests wait', () => {
  it('has all the time that it waits for besides its own', async () => {
    const short = await author.script(SEND, {
      hosts: [{ host: `localhost:${port}`, ask: 'always' }],
      timeout: 5,
    });
    // Its response comes when it has ended.
    const response = run(author.api, short, { port, requests: [charge('slow')] });
    const [question] = await waiting(({ input }) => input.script === short.slug, 1);
    // Longer than it may take.
    await expect.poll(() => Date.now() - Date.parse(question!.createdAt)).toBeGreaterThan(6_500);
    await decide(question!, 'approve');
    expect((await response).body).toMatchObject({ status: 'succeeded', output: [[200, 'served']] });
  });

  it('says so, alone and in lists, as long as they wait', async () => {
    const id = await begin([charge('a'), charge('b')]);
    const asked = await waiting((question) => question.runId === id, 2);
    const waitingApprovalIds = asked.map((question) => question.id as string).sort();
    const read = async (): Promise<Json> => (await author.api.get(`/v1/runs/${id}`)).body;
    const listed = async (): Promise<Json> =>
      (await author.api.get(`/v1/runs?script=${script.slug}&status=running`)).body.items[0];
    expect(await read()).toMatchObject({
      status: 'running',
      phase: 'executing',
      approvalRequestId: null,
      waitingApprovalIds,
      waitsBecause: `It waits for a person's yes to 2 requests that it wants to send: ${waitingApprovalIds.join(', ')}.`,
    });
    expect(await listed()).toMatchObject({ id, waitingApprovalIds });
    for (const question of asked) await decide(question, 'deny');
    const end = await endOf(id);
    expect(end.waitingApprovalIds).toEqual([]);
    expect(end).not.toHaveProperty('waitsBecause');
    expect((await author.api.get(`/v1/runs?script=${script.slug}`)).body.items[0]).toMatchObject({
      id,
      waitingApprovalIds: [],
    });
  });

  it('withdraws them when it is cancelled', async () => {
    const id = await begin([charge('gone')]);
    const [question] = await questions(id);
    expect((await author.api.post(`/v1/runs/${id}/cancel`)).status).toBe(202);
    expect(await endOf(id)).toMatchObject({ status: 'cancelled' });
    await expect
      .poll(async () => (await owner.get(`${REQUESTS}/${question!.id}`)).body.status)
      .toBe('expired');
    expect((await owner.post(`${REQUESTS}/${question!.id}/approve`)).status).toBe(400);
    expect(arrived).toEqual([]);
  });

  it('asks about 20 requests, and no more', async () => {
    const code = `
${SEND.split('from concurrent')[0]}
print(json.dumps([send(*i["requests"][0])[0] for _ in range(22)]))`;
    const host = `localhost:${port}`;
    const many = await author.script(code, { hosts: [{ host, ask: 'always' }], timeout: 60 });
    const greedy = await begin([charge('again')], many);
    for (let asked = 0; asked < 20; asked++) await decide((await questions(greedy))[0]!, 'deny');
    const end = await endOf(greedy);
    expect(end.output).toEqual([...Array<number>(20).fill(403), 429, 429]);
    expect(arrived).toEqual([]);
  });
});

describe('a rule that asks about agents', () => {
  it('holds requests of runs that an agent has started, and no others', async () => {
    const host = `localhost:${port}`;
    const guarded = await author.script(SEND, {
      hosts: [{ host, methods: ['POST'], ask: 'agents' }],
      timeout: 60,
    });
    const own = await begin([charge('by a person')], guarded);
    expect((await endOf(own)).output).toEqual([[200, 'served']]);
    const { gatehouse, workspace } = author;
    const agent = createClient({
      baseUrl: gatehouse.baseUrl,
      token: await workspace.owner.agent(),
      workspace: workspace.slug,
    });
    const { body } = await run(agent, guarded, { port, requests: [charge('by an agent')] });
    const [question] = await questions(body.id);
    expect((await agent.get(`${REQUESTS}/${question!.id}`)).body.status).toBe('pending');
    await decide(question!, 'approve');
    expect((await endOf(body.id)).output).toEqual([[200, 'served']]);
    expect(arrived.map((line) => line.split(' ').slice(2, 5).join(' '))).toEqual([
      'by a person',
      'by an agent',
    ]);
  });
});

describe('the rule of a host that asks', () => {
  it.each([
    [{ ask: 'sometimes' }, 'hosts.0.ask', 'must be one of always, agents'],
    [
      { protocol: 'postgres', postgres: { readOnly: true }, ask: 'always' },
      'hosts.0.ask',
      'must be left out where readOnly',
    ],
    [{ protocol: 'tcp', port: 1, ask: 'always' }, 'hosts.0.ask', 'is for http, https and postgres'],
  ])('is refused as %j', async (fields, path, message) => {
    const answer = await author.api.post(`/v1/scripts/${script.slug}/versions`, {
      archive: await archiveOf({ 'main.py': '' }),
      hosts: [{ host: 'api.example.com', ...fields }],
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toContainEqual({ path, message: expect.stringContaining(message) });
  });

  it('is in the record, and in words for who approves a run', async () => {
    const rules = [
      { host: 'api.example.com', methods: ['POST'], paths: ['/v1/charges'], ask: 'always' },
      { host: 'b.example.com', methods: null, paths: null, ask: 'agents' },
      {
        ...{ host: 'c.example.com', methods: ['POST'], paths: null },
        plan: { status: 201, body: '{"to": "\u202eme"}', contentType: 'text/plain' },
      },
    ];
    const made = await author.script('print()', { hosts: rules });
    const { body } = await author.api.get(`/v1/scripts/${made.slug}/versions/1`);
    expect(body.hostRules).toEqual(rules);
    await author.api.patch(`/v1/scripts/${made.slug}`, { approvalPolicy: 'always' });
    const held = await run(author.api, made);
    const request = await owner.get(`${REQUESTS}/${held.body.approval.id}`);
    expect(request.body.summary).toContain(
      'It may reach api.example.com (only POST to /v1/charges with the approval of a person for each), b.example.com (only requests with the approval of a person for each where an agent has started the run), c.example.com (only POST (in a plan answered 201 with "{\\"to\\": \\"\\u{202e}me\\"}" as text/plain)).',
    );
  });
});
