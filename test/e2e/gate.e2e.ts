import { gzipSync } from 'node:zlib';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Client, type Json, Seed, createClient } from '../../libs/testing/index.js';
import { client, newWorkspace } from '../support/gatehouse.js';
import { publishedScript, run } from '../support/scripts.js';
import { type SharedGatehouse, sharedGatehouse } from '../support/shared-gatehouse.js';
import { type Upstreams, echo } from '../support/upstream.js';

const SECRET = 'sk_live_51Hq/+8w"quoted"é';

let upstreams: Upstreams;
let gatehouse: SharedGatehouse;
let pool: pg.Pool;
let api: Client;
let port: number;

beforeAll(async () => {
  ({ gatehouse, upstreams } = await sharedGatehouse());
  port = await upstreams.start(echo);
  pool = new pg.Pool({ connectionString: gatehouse.databaseUrl, max: 1 });
  const workspace = await new Seed(gatehouse.baseUrl, pool).workspace();
  api = createClient({ baseUrl: gatehouse.baseUrl, token: workspace.owner.token, workspace: workspace.slug });
});

afterAll(async () => {
  await pool?.end();
  await upstreams?.close();
});

const GET = `import json, sys, urllib.request, urllib.error
try:
  with urllib.request.urlopen(sys.argv[1]) as r: print(json.dumps({"status": r.status, "body": r.read().decode()}))
except urllib.error.HTTPError as e: print(json.dumps({"status": e.code, "body": e.read().decode()}))
`;

/** Runs a script that fetches one address, with these fields of the version. */
async function fetchFrom(address: string, fields: Record<string, unknown>): Promise<Json> {
  const script = await publishedScript(
    api,
    { 'main.py': GET },
    { command: 'python3 main.py {url}', ...fields },
  );
  const { status, body } = await run(api, script, { url: address });
  expect(status).toBe(200);
  return body;
}

async function logOf(id: string): Promise<string[]> {
  return (await api.get(`/v1/runs/${id}/log`)).body.lines;
}

describe('any HTTPS client reaches a declared host, unmodified', () => {
  const clients: [string, Record<string, string>, string][] = [
    [
      'Python urllib',
      { 'main.py': `import urllib.request\nprint(urllib.request.urlopen("URL").read().decode())` },
      'python3 main.py',
    ],
    ['Node fetch', { 'main.mjs': 'console.log(await (await fetch("URL")).text())' }, 'node main.mjs'],
    [
      'Node https',
      { 'main.mjs': 'import https from "node:https";\nhttps.get("URL", (r) => r.pipe(process.stdout));' },
      'node main.mjs',
    ],
    ['curl', { 'main.sh': 'curl -sS --fail "URL"' }, 'bash main.sh'],
    ['wget', { 'main.sh': 'wget -q -O - "URL"' }, 'bash main.sh'],
  ];

  it.each(clients)('%s', async (_, files, command) => {
    const url = `https://localhost:${port}/path?q=1`;
    const given = Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name, text.replace('URL', url)]),
    );
    const script = await publishedScript(api, given, { command, hosts: [`localhost:${port}`] });
    const { body } = await run(api, script);
    expect(body).toMatchObject({ status: 'succeeded', error: null });
    expect(body.output).toMatchObject({ method: 'GET', url: '/path?q=1' });
    expect(body.output.headers.host).toBe(`localhost:${port}`);
    expect(body.network).toEqual([
      {
        host: `localhost:${port}`,
        requests: 1,
        denied: 0,
        bytesIn: expect.any(Number),
        bytesOut: expect.any(Number),
      },
    ]);
  });
});

describe('a host that is not declared', () => {
  it('is refused, readably, with a line in the log', async () => {
    const body = await fetchFrom('https://example.com/', { hosts: [`localhost:${port}`] });
    expect(body.output.status).toBe(403);
    expect(body.output.body).toContain('example.com');
    expect((await logOf(body.id)).join('\n')).toMatch(/example\.com/);
    expect(body.network).toEqual([expect.objectContaining({ host: 'example.com', requests: 0, denied: 1 })]);
  });

  it('cannot be reached without any hosts at all', async () => {
    const script = await publishedScript(api, {
      'main.py': 'import urllib.request\nurllib.request.urlopen("https://example.com/", timeout=3)',
    });
    const { body } = await run(api, script);
    expect(body.status).toBe('failed');
    expect(body.network).toEqual([]);
  });

  it('is as closed when it is an address, another port or the service itself', async () => {
    const code = `import json, socket, sys
out = {}
for name, target in json.loads(sys.argv[1]).items():
  s = socket.socket(); s.settimeout(2)
  try:
    s.connect(tuple(target)); out[name] = "connected"
  except Exception as e: out[name] = "refused"
  s.close()
print(json.dumps(out))`;
    const own = Number(new URL(gatehouse.baseUrl).port);
    const targets = {
      service: ['127.0.0.1', own],
      port80: ['127.0.0.1', 80],
      public: ['93.184.216.34', 443],
      metadata: ['169.254.169.254', 80],
    };
    const script = await publishedScript(
      api,
      { 'main.py': code },
      { command: 'python3 main.py {t}', hosts: [`localhost:${port}`] },
    );
    const { body } = await run(api, script, { t: JSON.stringify(targets) });
    expect(body.output).toEqual({
      service: 'refused',
      port80: 'refused',
      public: 'refused',
      metadata: 'refused',
    });
  });
});

describe('a secret', () => {
  const secrets = () => ({
    API_KEY: { header: 'authorization', value: 'Bearer {secret}', hosts: [`localhost:${port}`] },
  });

  beforeAll(async () => {
    const answer = await api.put('/v1/workspace/secrets/API_KEY', {
      value: 'sk_live_abcdefgh12345678',
      hosts: [`localhost:${port}`],
      allowEnv: false,
    });
    expect([200, 201]).toContain(answer.status);
  });

  it('is attached on the way out, over what the script sent, and never seen by it', async () => {
    const seen: (string | undefined)[] = [];
    const asked = await upstreams.start((request, response) => {
      seen.push(request.headers.authorization);
      response.end(`reflected ${request.headers.authorization}`);
    });
    await api.put('/v1/workspace/secrets/OTHER_KEY', {
      value: 'sk_test_zyxwvuts87654321',
      hosts: [`localhost:${asked}`],
    });
    const code = `import json, os, urllib.request
def whole(path):
  try: return open(path, "rb").read().decode("latin1")
  except OSError: return ""
request = urllib.request.Request("https://localhost:${asked}/", headers={"Authorization": "Bearer mine"})
body = urllib.request.urlopen(request).read().decode()
print(json.dumps({"body": body, "env": dict(os.environ), "proc": [whole(f"/proc/{p}/{f}") for p in ("self", "1") for f in ("environ", "cmdline")]}))`;
    const script = await publishedScript(
      api,
      { 'main.py': code },
      {
        hosts: [`localhost:${asked}`],
        secrets: {
          OTHER_KEY: { header: 'Authorization', value: 'Bearer {secret}', host: `localhost:${asked}` },
        },
      },
    );
    const { body } = await run(api, script);
    expect(body).toMatchObject({ status: 'succeeded' });
    expect(seen).toEqual(['Bearer sk_test_zyxwvuts87654321']);
    expect(body.output.body).toBe('reflected Bearer ***');
    expect(body.output.env.OTHER_KEY).toEqual(expect.any(String));
    expect(JSON.stringify(body)).not.toContain('sk_test_zyxwvuts87654321');
    const read = (await api.get('/v1/workspace/secrets/OTHER_KEY')).body;
    expect(JSON.stringify(read)).not.toContain('sk_test_zyxwvuts87654321');
  });

  it('is absent on a second declared host', async () => {
    let second: string | undefined;
    const other = await upstreams.start((request, response) => {
      second = request.headers.authorization;
      response.end('ok');
    });
    const body = await fetchFrom(`https://localhost:${other}/`, {
      hosts: [`localhost:${port}`, `localhost:${other}`],
      secrets: secrets(),
    });
    expect(body.output).toEqual({ status: 200, body: 'ok' });
    expect(second).toBeUndefined();
  });

  it('is taken out of a response that reflects it, gzipped and split over chunks', async () => {
    const reflecting = await upstreams.start((request, response) => {
      const value = request.headers['x-key'] as string;
      const bytes = gzipSync(
        `raw ${value} base64 ${Buffer.from(value).toString('base64')} ${'x'.repeat(5000)}`,
      );
      response.setHeader('content-encoding', 'gzip');
      response.write(bytes.subarray(0, 10));
      setTimeout(() => response.end(bytes.subarray(10)), 20);
    });
    await api.put('/v1/workspace/secrets/REFLECTED', {
      value: 'topsecretvalue-123',
      hosts: [`localhost:${reflecting}`],
    });
    const body = await fetchFrom(`https://localhost:${reflecting}/`, {
      hosts: [`localhost:${reflecting}`],
      secrets: { REFLECTED: { header: 'x-key', host: `localhost:${reflecting}` } },
    });
    expect(body.output.status).toBe(200);
    expect(body.output.body).not.toContain('topsecretvalue');
    expect(body.output.body).not.toContain(Buffer.from('topsecretvalue-123').toString('base64').slice(0, 16));
    expect(body.output.body).toMatch(/^raw \*\*\* base64 /);
  });

  it('that may be read as an environment variable is masked in log, output and error', async () => {
    await api.put('/v1/workspace/secrets/READABLE', {
      value: SECRET,
      hosts: [`localhost:${port}`],
      allowEnv: true,
    });
    const script = await publishedScript(
      api,
      {
        'main.py':
          'import os, sys, base64, json\nv = os.environ["READABLE"]\nprint("log", v, file=sys.stderr)\nprint(base64.b64encode(v.encode()).decode(), file=sys.stderr)\nif len(sys.argv) > 1: sys.exit(v)\nprint(json.dumps({"value": v, "length": len(v)}))',
      },
      { command: 'python3 main.py [{fail}]', env: ['READABLE'] },
    );
    const { body } = await run(api, script);
    expect(body.output).toEqual({ value: '***', length: SECRET.length });
    const lines = await logOf(body.id);
    expect(lines).toContain('log ***');
    expect(lines.join()).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, 12));
    const failed = (await run(api, script, { fail: 'x' })).body;
    expect(failed.error).toBe('exit code 1: ***');
    const { rows } = await pool.query(`SELECT data::text FROM events WHERE caused_by_run_id = $1`, [
      failed.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain('sk_live_51Hq');
  });

  it('without a value in the environment, or for no host of the version, fails the run by its name', async () => {
    await api.post('/v1/workspace/environments', { name: 'empty' });
    const script = await publishedScript(
      api,
      { 'main.py': 'pass' },
      { hosts: [`localhost:${port}`], secrets: secrets() },
    );
    const missing = await run(api, script, {}, { 'x-environment': 'empty' });
    expect(missing.body).toMatchObject({
      status: 'failed',
      error: 'the secret API_KEY has no value in empty',
    });
  });
});

describe('an upstream', () => {
  it('that lies in its certificate is a 502, and never gets the secret', async () => {
    let asked = 0;
    const lying = await upstreams.start((_, response) => {
      asked += 1;
      response.end();
    }, false);
    await api.put('/v1/workspace/secrets/LIED_TO', {
      value: 'never-to-be-sent-1',
      hosts: [`localhost:${lying}`],
    });
    const body = await fetchFrom(`https://localhost:${lying}/`, {
      hosts: [`localhost:${lying}`],
      secrets: { LIED_TO: { header: 'x-key', host: `localhost:${lying}` } },
    });
    expect(body.output.status).toBe(502);
    expect(body.output.body).toMatch(/certificate/i);
    expect(asked).toBe(0);
  });

  it('that is down is a 502 with a line in the log', async () => {
    const gone = await upstreams.start((_, response) => void response.end());
    await upstreams.stopLast();
    const body = await fetchFrom(`https://localhost:${gone}/`, { hosts: [`localhost:${gone}`] });
    expect(body.output.status).toBe(502);
    expect((await logOf(body.id)).length).toBeGreaterThan(0);
  });

  it('on a private address is refused where the operator has not allowed it', async () => {
    const strict = await newWorkspace();
    const there = client({ token: strict.owner.token, workspace: strict.slug });
    const script = await publishedScript(
      there,
      { 'main.py': GET },
      { command: 'python3 main.py {url}', hosts: [`localhost:${port}`] },
    );
    const { body } = await run(there, script, { url: `https://localhost:${port}/` });
    expect(body.output.status).toBe(403);
  });
});
