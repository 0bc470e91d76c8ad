import { createSocket } from 'node:dgram';
import https from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostSet } from '../host-set.js';
import { UnusableSecret } from '../router.js';
import { Outside, placeOf } from '../test/gate-fixture.js';
import { gatePids } from '../test/gate-pids.js';
import { heldSocket } from '../test/held-socket.js';
import { type Origin, ORIGIN_ADDRESS, startOrigin } from '../test/origin.js';
import { GateProcess } from './gate-process.js';
import type { GateRequest } from '../gate-requests.js';
import type { RemoteGate } from './remote-gate.js';

const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';

describe("gates in the gate's process", { timeout: 60_000 }, () => {
  let outside: Outside;
  let origin: Origin;
  let gates: GateProcess;
  let gate: RemoteGate;
  let port: number;
  const lines: string[] = [];
  const used: string[] = [];
  const requests: GateRequest[] = [];
  beforeAll(async () => {
    outside = await Outside.open();
    origin = await outside.keep(
      // Reached by its address, for the process resolves as this machine does.
      startOrigin(outside.credentials('api.test', ORIGIN_ADDRESS), (req, res) =>
        res.end(`${req.url} ${req.headers['x-key']}`),
      ),
    );
    gates = await GateProcess.start();
    const label = `api.test:${origin.port}`;
    gate = gates.open(
      {
        hosts: [label],
        rules: [{ host: label, methods: ['GET'], paths: ['/one', '/two'] }],
        secrets: [{ name: 'KEY', hosts: new HostSet([label]), header: 'x-key', value: SECRET }],
        origins: new Map([[label, { host: ORIGIN_ADDRESS, port: origin.port, protocol: 'https:' }]]),
        allow: ['127.0.0.0/8'],
        ca: [outside.authority.certificate],
      },
      {
        log: (line) => lines.push(line),
        secretUsed: (name) => used.push(name),
        request: (request) => requests.push(request),
      },
    );
    const held = await heldSocket();
    port = held.port;
    gate.serve(held.handle, placeOf(origin.port));
  });
  afterAll(async () => {
    await gates.close();
    await outside.close();
  });

  function get(path: string, host = 'api.test'): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = { host: `${host}:${origin.port}` };
      const ca = gates.certificate;
      const to = { host: '127.0.0.1', port, servername: host, ca, path, headers, agent: false };
      https
        .get(to, (res) => {
          let text = '';
          res.on('data', (chunk: Buffer) => (text += chunk.toString()));
          res.on('end', () => resolve({ status: res.statusCode ?? 0, text }));
        })
        .on('error', reject);
    });
  }

  it('pass requests with their secrets, and tell of it', async () => {
    expect(await get('/one')).toEqual({ status: 200, text: '/one ***' });
    await expect.poll(() => used).toEqual(['KEY']);
    expect(await get('/', 'evil.test')).toMatchObject({ status: 403 });
    await expect.poll(() => lines).toEqual([expect.stringContaining('the host is not declared')]);
    await expect.poll(() => gate.usage().length).toBe(2);
    await expect.poll(() => requests.length).toBe(2);
  });

  it('tell of each request by its declared host, its method and the status', async () => {
    requests.length = 0;
    const from = Date.now();
    await get('/two?key=hidden');
    await get('/hidden');
    await get('/', 'hidden.evil.test');
    await expect.poll(() => requests.length).toBe(3);
    const common = { method: 'GET', at: expect.any(Number), durationMs: expect.any(Number) };
    const host = `api.test:${origin.port}`;
    expect(requests).toEqual([
      { ...common, host, status: 200, refused: false },
      { ...common, host, status: 403, refused: true },
      { ...common, host: null, status: 403, refused: true },
    ]);
    expect(requests[0]!.at).toBeGreaterThanOrEqual(from);
    expect(JSON.stringify(requests)).not.toContain('hidden');
  });

  it('refuse what the rules do not name', async () => {
    expect(await get('/three')).toMatchObject({
      status: 403,
      text: expect.stringContaining('request_not_declared') as string,
    });
  });

  it('serve DNS', async () => {
    const { handle, port: dnsPort } = await heldSocket('dns');
    gate.serveDns(handle);
    const client = createSocket('udp4');
    const query = Buffer.from('000101000001000000000000036f6e650000010001', 'hex');
    const response = new Promise<Buffer>((resolve) => client.once('message', resolve));
    client.send(query, dnsPort, '127.0.0.1');
    expect([...(await response).subarray(-4)]).toEqual([127, 0, 0, 1]);
    client.close();
  });

  it('refuse a secret that cannot be sent where somebody can be told', () => {
    const secrets = [{ name: 'BAD', hosts: new HostSet(['api.test']), header: 'x-key', value: 'a\nb' }];
    expect(() => gates.open({ hosts: ['api.test'], secrets }, { log: () => undefined })).toThrow(
      UnusableSecret,
    );
  });

  it('are taken over when the process hangs', async () => {
    const warnings: string[] = [];
    const told: string[] = [];
    const others = gatePids();
    const hanging = await GateProcess.start({ warn: (text) => warnings.push(text), pingEveryMs: 500 });
    const [stopped = NaN] = gatePids().filter((pid) => !others.includes(pid));
    const own = hanging.open({ hosts: ['api.test:1'] }, { log: (line) => told.push(line) });
    const held = await heldSocket();
    process.kill(stopped, 'SIGSTOP');
    // Node closes no channel before it knows what became of a socket.
    own.serve(held.handle, placeOf(1));
    await expect.poll(() => told).toEqual([expect.stringContaining('it did not respond')]);
    await expect.poll(() => hanging.isRunning).toBe(true);
    await expect.poll(gatePids).not.toContain(stopped);
    expect(warnings).toEqual([expect.stringContaining('is started again')]);
    expect(await own.close()).toEqual([]);
    await hanging.close();
    await expect.poll(gatePids).toEqual(others);
  });

  it('count to the end, and take nothing more once closed', async () => {
    await get('/two');
    const usage = await gate.close();
    expect(usage).toMatchObject([
      { host: `api.test:${origin.port}`, requests: 3, denied: 2 },
      { host: `evil.test:${origin.port}`, requests: 0, denied: 1 },
      { host: `hidden.evil.test:${origin.port}`, requests: 0, denied: 1 },
    ]);
    await expect(get('/three')).rejects.toThrow();
    expect(await gate.close()).toEqual(usage);
  });
});
