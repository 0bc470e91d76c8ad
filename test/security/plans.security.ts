import type { IncomingMessage } from 'node:http';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { finished, runUntil, type TestScript } from '../support/scripts.js';
import { aGatedAttacker } from './support/gated.js';

const attacker = aGatedAttacker();
let port: number;
let plainPort: number;
let tcpPort: number;
let arrived: string[] = [];
let bytes = 0;

const note = ({ method, url }: IncomingMessage): void => void arrived.push(`${method} ${url}`);

beforeAll(async () => {
  port = await attacker.upstreams.start((request, response) => {
    note(request);
    request.resume().on('end', () => response.end('served'));
  });
  plainPort = await attacker.upstreams.start((request, response) => {
    note(request);
    request.resume().on('end', () => response.end('served'));
  });
  tcpPort = await attacker.upstreams.startTcp((socket) =>
    socket.on('error', () => undefined).on('data', (chunk: Buffer) => void (bytes += chunk.length)),
  );
});
beforeEach(() => {
  arrived = [];
  bytes = 0;
});

const hosts = (): unknown[] => [
  `localhost:${port}`,
  `localhost:${plainPort}`,
  { host: `localhost:${tcpPort}`, protocol: 'tcp' },
];

async function planned(of: TestScript, inputs: object = {}): Promise<Json> {
  const started = await attacker.api.post(`/v1/scripts/${of.slug}/runs`, { inputs, plan: true });
  expect([200, 202], started.text).toContain(started.status);
  return runUntil(attacker.api, started.body.id as string, finished);
}

const listOf = async (id: string): Promise<Json[]> =>
  (await attacker.api.get(`/v1/runs/${id}/planned?limit=100`)).body.items;

/** Sends bytes as they are, and says the status of the first response. */
const RAW = `
i = inputs()
print(json.dumps([outcome(ask, i["port"], base64.b64decode(sent).decode("latin1"))["status"] for sent in i["sent"]]))`;

async function sent(...requests: string[]): Promise<{ statuses: Json; list: Json[] }> {
  const script = await attacker.script(RAW, { hosts: hosts() });
  const inputs = {
    port,
    sent: requests.map((text) =>
      Buffer.from(text.replaceAll('PORT', String(port)), 'latin1').toString('base64'),
    ),
  };
  const plan = await planned(script, inputs);
  expect(plan).toMatchObject({ status: 'succeeded', error: null });
  return { statuses: plan.output, list: await listOf(plan.id) };
}

/** Which port it is, is not known yet. */
const request = (line: string, headers = '', body = ''): string =>
  `${line} HTTP/1.1\r\nHost: localhost:PORT\r\n${headers}\r\n${body}`;

describe('a plan', () => {
  it.each([
    ['a header that overrides the method', request('GET /x', 'X-HTTP-Method-Override: DELETE\r\n')],
    ['a query that overrides the method', request('GET /x?_method=PUT')],
    ['a body in chunks', request('POST /x', 'Transfer-Encoding: chunked\r\n', '2\r\nab\r\n0\r\n\r\n')],
    ['a method that few know', request('PROPFIND /x')],
    [
      'a websocket',
      request(
        'GET /x',
        'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
      ),
    ],
  ])('sends nothing by %s', async (_, text) => {
    const { statuses, list } = await sent(text);
    expect([statuses, list.length, arrived]).toEqual([[409], 1, []]);
  });

  it.each([
    ['a request behind a read', request('GET /read') + request('POST /x', 'Content-Length: 1\r\n', 'a')],
    ['what follows a write', request('POST /x', 'Content-Length: 1\r\n', 'a') + request('DELETE /y')],
    [
      'a head that another host would read otherwise',
      request('POST /x', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    ],
  ])('sends nothing of %s', async (_, text) => {
    await sent(text);
    expect(arrived.filter((line) => line !== 'GET /read')).toEqual([]);
  });

  it('sends nothing by a connection that it opens', async () => {
    const script = await attacker.script(
      `
i = inputs()
for port in i["ports"]:
    try:
        with socket.create_connection(("localhost", port), 5) as s:
            s.sendall(b"DELETE everything\\r\\n" * 100); s.recv(1)
    except OSError: pass
print("1")`,
      { hosts: hosts() },
    );
    const plan = await planned(script, { ports: [tcpPort, plainPort] });
    expect(plan.status).toBe('succeeded');
    expect([bytes, arrived]).toEqual([0, []]);
    expect(await listOf(plan.id)).toMatchObject([
      { protocol: 'tcp', method: 'CONNECT', host: `localhost:${tcpPort}` },
    ]);
  });

  it('is bounded in what it lists, however much is sent at once', async () => {
    const script = await attacker.script(
      `
i = inputs()
def flood():
    with connect(i["port"]) as s:
        one = ("POST /f HTTP/1.1\\r\\nHost: localhost:%d\\r\\nX-Long: %s\\r\\nContent-Length: 60000\\r\\n\\r\\n" % (i["port"], "h" * 8000)).encode() + b"\\x01" * 60000
        for n in range(40):
            s.sendall(one); read(s)
threads = [threading.Thread(target=flood) for n in range(8)]
for t in threads: t.start()
for t in threads: t.join()
print("1")`,
      { hosts: hosts() },
    );
    const plan = await planned(script, { port });
    expect(plan).toMatchObject({ status: 'succeeded', plannedRequests: 320 });
    const { rows } = await attacker.database.query(
      `SELECT count(*)::int AS listed, sum(octet_length(coalesce(body_text, '')))::int AS text,
         sum(octet_length(headers::text))::int AS heads FROM run_planned_requests WHERE run_id = $1`,
      [plan.id],
    );
    expect(rows[0].listed).toBe(200);
    expect(rows[0].text).toBeLessThanOrEqual(1024 * 1024);
    expect(rows[0].heads).toBeLessThan(200 * 40_000);
  });

  it('stores no U+0000 or control character of what it lists', async () => {
    const { list } = await sent(
      request('POST /x%00?a=%1b', 'X-Odd: \u00ff\r\nContent-Length: 3\r\n', '\u0000\u001b\n'),
    );
    expect(list).toMatchObject([{ target: '/x%00?a=%1b', body: { bytes: 3, text: '\ufffd\ufffd\n' } }]);
  });

  it('starts no run through a Gatehouse that it may reach', async () => {
    const script = await attacker.script(
      `
i = inputs()
print(json.dumps(outcome(ask, i["port"], "POST /v1/scripts/x/runs HTTP/1.1\\r\\nHost: localhost:%d\\r\\nContent-Length: 2\\r\\n\\r\\n{}" % i["port"])["status"]))`,
      { hosts: hosts() },
    );
    expect((await planned(script, { port })).output).toBe(409);
    expect(arrived).toEqual([]);
  });

  it('does not stop being one by what the script says of itself', async () => {
    const script = await attacker.script(
      `
os.environ.pop("GATEHOUSE_PLAN", None)
print("::label plan=false", file=sys.stderr)
i = inputs()
print(json.dumps(subprocess.run([sys.executable, "-c", "import http.client,sys\\nc=http.client.HTTPSConnection('localhost',int(sys.argv[1]))\\nc.request('POST','/')\\nprint(c.getresponse().status)", str(i["port"])], capture_output=True, text=True, env={k: v for k, v in os.environ.items() if k != "GATEHOUSE_PLAN"}).stdout.strip()))`,
      { hosts: hosts() },
    );
    const plan = await planned(script, { port });
    expect([plan.output, plan.plan, arrived]).toEqual(['409', true, []]);
  });
});
