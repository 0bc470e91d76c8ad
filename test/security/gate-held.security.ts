import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type Client, createClient, type Json, Seed } from '../../libs/testing/index.js';
import { finished, runUntil, type TestScript } from '../support/scripts.js';
import { aGatedAttacker } from './support/gated.js';

const attacker = aGatedAttacker();
const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
const IN_ENV = 'whsec_8tQ2pXw7Lr4TzB1cVn8K';
const REQUESTS = '/v1/workspace/approval-requests';
let owner: Client;
let port: number;
let script: TestScript;
/** Every byte that reached the host after its TLS. */
let reached = '';

beforeAll(async () => {
  const { workspace, gatehouse } = attacker;
  const { cookie } = workspace.owner;
  owner = createClient({ baseUrl: gatehouse.baseUrl, cookie, workspace: workspace.slug });
  port = await attacker.upstreams.startTls((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      reached += chunk.toString('latin1');
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
  });
  const host = `localhost:${port}`;
  await attacker.secret('KEY', SECRET, [host]);
  await attacker.secret('IN_ENV', IN_ENV, [host], true);
  // What it writes, in pieces: each after so many seconds. Then it reads until there is nothing more, or hangs up.
  script = await attacker.script(
    `
i = inputs()
s = connect(i["port"], timeout=60)
for wait, piece in i["pieces"]:
    time.sleep(wait)
    s.sendall(piece.replace("SECRET", os.environ["IN_ENV"]).encode("latin1"))
if i["hangUp"]:
    s.close()
    time.sleep(60)
s.settimeout(i["patience"])
text = b""
try:
    while part := s.recv(65536): text += part
except OSError: pass
print(json.dumps([int(line[9:12]) for line in re.findall(r"HTTP/1\\.1 \\d+", text.decode("latin1"))]))`,
    {
      hosts: [
        { host, methods: ['POST'], paths: ['/v1/pay', '/v1/refunds/*'], ask: 'always' },
        { host, methods: null, paths: ['/*'] },
      ],
      secrets: { KEY: { header: 'x-api-key' } },
      env: ['IN_ENV'],
      timeout: 60,
    },
  );
});
beforeEach(() => {
  reached = '';
});

interface Attack {
  pieces: [wait: number, text: string][];
  hangUp?: boolean;
  patience?: number;
}

const begin = ({ pieces, hangUp = false, patience = 30 }: Attack): Promise<string> =>
  attacker.begin(script, { port, pieces, hangUp, patience });
const head = (line: string, more: string): string =>
  `${line} HTTP/1.1\r\nHost: localhost:${port}\r\n${more}\r\n`;
const LAST = 'Connection: close\r\n';
const pay = (body: string, path = '/v1/pay', more = LAST): string =>
  `${head(`POST ${path}`, `Content-Length: ${body.length}\r\n${more}`)}${body}`;

async function questions(runId: string, count = 1): Promise<Json[]> {
  const own = async (): Promise<Json[]> =>
    ((await owner.get(`${REQUESTS}?limit=100`)).body.items as Json[]).filter((item) => item.runId === runId);
  await expect.poll(async () => (await own()).length).toBe(count);
  return (await own()).reverse();
}

const approve = async ({ id }: Json): Promise<void> => {
  const answer = await owner.post(`${REQUESTS}/${id}/approve`);
  expect(answer.status, answer.text).toBe(200);
};
const deny = (question: Json) => owner.post(`${REQUESTS}/${question.id}/deny`, {});
const endOf = (id: string): Promise<Json> => runUntil(attacker.api, id, finished);

describe('a request that waits for a person', () => {
  it('is not changed by what its script says on the connection meanwhile', async () => {
    const id = await begin({
      pieces: [
        [0, pay('amount=1', '/v1/pay', '')],
        [1, '&amount=1000000'],
      ],
      patience: 5,
    });
    const [question] = await questions(id);
    await expect.poll(() => attacker.log(id)).toContain('gate: refused');
    await owner.post(`${REQUESTS}/${question!.id}/approve`);
    await endOf(id);
    expect(reached).not.toContain('1000000');
  });

  it('takes no other request along that is pipelined behind it', async () => {
    const id = await begin({ pieces: [[0, pay('one', '/v1/pay', '') + pay('two', '/v1/refunds/2')]] });
    // Which of the two is asked about first is chance.
    const asked = await questions(id, 2);
    const [one, two] = ['one', 'two'].map((body) => asked.find(({ input }) => input.body === body));
    await approve(one!);
    await deny(two!);
    expect((await endOf(id)).output).toEqual([200, 403]);
    expect(reached).toContain('one');
    expect(reached).not.toContain('two');
  });

  it('is whole before anybody is asked, however it comes in', async () => {
    const chunked = head('POST /v1/pay', `Transfer-Encoding: chunked\r\n${LAST}`);
    const id = await begin({
      pieces: [
        [0, `${chunked}4\r\namou\r\n`],
        [1, '4\r\nnt=1\r\n'],
        [0, '0\r\n\r\n'],
      ],
    });
    const [question] = await questions(id);
    expect(question!.input).toMatchObject({ body: 'amount=1', bodyBytes: 8 });
    await approve(question!);
    expect((await endOf(id)).output).toEqual([200]);
    expect(reached).toMatch(/content-length: 8\r\n/i);
    expect(reached).not.toMatch(/transfer-encoding/i);
  });

  it('has no trailers, which nobody would see', async () => {
    const chunked = head('POST /v1/pay', `Transfer-Encoding: chunked\r\nTrailer: X-To\r\n${LAST}`);
    const id = await begin({ pieces: [[0, `${chunked}1\r\na\r\n0\r\nX-To: me\r\n\r\n`]] });
    expect((await endOf(id)).output).toEqual([400]);
    expect([await questions(id, 0), reached]).toEqual([[], '']);
  });

  it('is never sent once its script has hung up, whatever is decided', async () => {
    const id = await begin({ pieces: [[0, pay('gone')]], hangUp: true });
    const [question] = await questions(id);
    const status = async () => (await owner.get(`${REQUESTS}/${question!.id}`)).body.status;
    await expect.poll(status).toBe('expired');
    expect((await owner.post(`${REQUESTS}/${question!.id}/approve`)).status).toBe(400);
    await attacker.api.post(`/v1/runs/${id}/cancel`);
    await endOf(id);
    expect(reached).toBe('');
  });

  it.each([
    '/v1/PAY',
    '/v1/pay/',
    '/v1/%70ay',
    '/v1/%2570ay',
    '/v1//pay',
    '/v1/x/../pay',
    '/v1/pay%20',
    '/v1/pay;a=1',
    '/v1/refunds%2F1',
    '/V1/REFUNDS/1',
  ])('does not get by as %s, although another rule lets that through', async (path) => {
    const id = await begin({ pieces: [[0, `${head(`POST ${path}`, `Content-Length: 0\r\n${LAST}`)}`]] });
    const waits = async (): Promise<boolean> => {
      const { body } = await owner.get(`${REQUESTS}?status=pending&limit=100`);
      const question = (body.items as Json[]).find((item) => item.runId === id);
      if (question) await deny(question);
      return finished((await attacker.api.get(`/v1/runs/${id}`)).body);
    };
    await expect.poll(waits).toBe(true);
    expect([400, 403]).toContain((await endOf(id)).output[0]);
    expect(reached).toBe('');
  });

  it.each([
    ['a header', 'GET /v1/pay', 'X-HTTP-Method-Override: POST\r\n'],
    ['the query', 'GET /v1/pay?_method=POST', ''],
  ])('does not get by as a read whose method is in %s', async (_, line, more) => {
    const id = await begin({ pieces: [[0, head(line, `${more}${LAST}`)]] });
    expect((await endOf(id)).output).toEqual([403]);
    expect(reached).toBe('');
  });

  it('shows no secret to who approves it, nor in the events, the log and the audit trail', async () => {
    const encoded = Buffer.from(`user:${IN_ENV}`).toString('base64');
    const body = `{"key":"SECRET","again":"${Buffer.from(IN_ENV).toString('base64')}"}`;
    const length = body.replace('SECRET', IN_ENV).length;
    const more = `Authorization: Basic ${encoded}\r\nX-Note: SECRET\r\nX-My-Token: abc\r\nContent-Length: ${length}\r\n${LAST}`;
    const id = await begin({ pieces: [[0, `${head('POST /v1/pay?note=SECRET', more)}${body}`]] });
    const [question] = await questions(id);
    const { text } = await owner.get(`${REQUESTS}/${question!.id}`);
    for (const hidden of [IN_ENV, SECRET, encoded, Buffer.from(IN_ENV).toString('base64')])
      expect(text).not.toContain(hidden);
    expect(question!.input.headers).toContain('X-My-Token: ***');
    await deny(question!);
    await endOf(id);
    const { rows } = await attacker.database.query<{ all: string }>(
      `SELECT concat((SELECT json_agg(e) FROM events e WHERE e.workspace_id = $1),
        (SELECT json_agg(a) FROM audit_events a WHERE a.workspace_id = $1)) AS all`,
      [attacker.workspace.id],
    );
    expect(rows[0]!.all).toContain('approval.requested');
    for (const text of [rows[0]!.all, await attacker.log(id)]) expect(text).not.toContain(IN_ENV);
  });

  it('shows what nobody sees, such as signs that turn a text around', async () => {
    const id = await begin({
      pieces: [[0, pay('pay \u00e2\u0080\u00ae001\u00e2\u0080\u008b')]],
    });
    const [question] = await questions(id);
    expect(question!.input.body).toBe('pay \\u{202e}001\\u{200b}');
    await deny(question!);
    await endOf(id);
  });

  it('is decided by nobody but those who may: no token, agent, member or stranger', async () => {
    const id = await begin({ pieces: [[0, pay('mine')]] });
    const [question] = await questions(id);
    const { workspace, gatehouse } = attacker;
    const { baseUrl } = gatehouse;
    const as = (credentials: object, slug = workspace.slug): Client =>
      createClient({ baseUrl, workspace: slug, ...credentials });
    const member = await workspace.person('member');
    const stranger = await new Seed(baseUrl, attacker.database).workspace();
    const others = [
      attacker.api,
      as({ token: await workspace.owner.agent() }),
      as({ token: await workspace.apiKey() }),
      as({ cookie: member.cookie }),
      as({ cookie: stranger.owner.cookie }),
      as({ cookie: stranger.owner.cookie }, stranger.slug),
    ];
    for (const other of others) {
      const { status } = await other.post(`${REQUESTS}/${question!.id}/approve`);
      expect([403, 404]).toContain(status);
    }
    await deny(question!);
    expect((await endOf(id)).output).toEqual([403]);
    expect(reached).toBe('');
  });
});

describe('a script that floods people with questions', () => {
  it('has 16 requests waiting at a time, and the rest refused', async () => {
    const many = await attacker.script(
      `
i = inputs()
def pay(_):
    with connect(i["port"], timeout=120) as s:
        s.sendall(i["text"].encode())
        status = int(read(s)[9:12])
        os.write(2, b"answered %d\\n" % status)
        return status
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(40) as pool: print(json.dumps(sorted(pool.map(pay, range(40)))))`,
      { hosts: [{ host: `localhost:${port}`, ask: 'always' }], timeout: 60 },
    );
    const id = await attacker.begin(many, { port, text: pay('x') });
    const waiting = await questions(id, 16);
    // One that came later would find the place of one that was denied.
    const refused = async () => (await attacker.log(id)).match(/^answered 429$/gm)?.length;
    await expect.poll(refused).toBe(24);
    for (const question of waiting) await deny(question);
    const { output } = await endOf(id);
    const counted = (output as number[]).filter((status) => status === 403).length;
    expect(counted).toBeGreaterThanOrEqual(16);
    expect(counted).toBeLessThanOrEqual(20);
    expect((output as number[]).filter((status) => status === 429)).toHaveLength(40 - counted);
    expect(reached).toBe('');
  });
});
