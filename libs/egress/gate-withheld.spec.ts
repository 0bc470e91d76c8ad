import { createHash } from 'node:crypto';
import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HostSet } from './host-set.js';
import { VariedGate } from './test/varied-gate.js';
import { MAX_WITHHELD_TEXT_BYTES, type WithheldRequest } from './withheld-request.js';
import { MOST_TEXT_BYTES, MOST_WHOLE } from './withheld-requests.js';

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'];

describe('a gate whose run only reads', () => {
  const scene = VariedGate.forEach();
  let told: WithheldRequest[] = [];
  afterEach(() => {
    told = [];
  });

  const open = (options = {}): Promise<void> =>
    scene.open({
      declared: ['api.test'],
      readsOnly: true,
      onWithheld: (request) => void told.push(request),
      ...options,
    });
  const call = (path: string, how: Parameters<typeof scene.inside.call>[2] = {}) =>
    scene.inside.call('api.test', path, how);

  it('lets reads pass, refuses all else, and tells of it in order', async () => {
    await open();
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      expect((await call('/echo', { method })).status, method).toBe(200);
    const connections = scene.origin.connections();
    const asked = scene.outside.dns.asked.length;
    for (const method of WRITES) {
      const { status, headers, text } = await call('/echo', { method });
      expect([method, status, headers['x-gate-error']]).toEqual([method, 409, 'would_have_sent']);
      expect(text).toContain('only planned');
    }
    expect(told.map(({ method }) => method)).toEqual(WRITES);
    expect([scene.origin.connections(), scene.outside.dns.asked.length]).toEqual([connections, asked]);
    expect(scene.inside.gate.usage()).toMatchObject([{ requests: 3, denied: WRITES.length }]);
    expect(scene.inside.lines[0]).toContain('the run is only planned, so it was not sent');
  });

  it('tells what would have been sent, without the secrets that it attaches', async () => {
    const host = `api.test:${scene.origin.port}`;
    await open({
      secrets: [{ name: 'KEY', hosts: new HostSet([host]), header: 'x-api-key', value: 'sk_live_1234' }],
    });
    const body = '{"amount":5}';
    await call('/echo?a=1', { method: 'POST', body, headers: { 'x-note': 'hello' } });
    expect(told).toMatchObject([
      {
        protocol: 'https',
        host: `api.test:${scene.origin.port}`,
        method: 'POST',
        target: '/echo?a=1',
        body: { bytes: body.length, sha256: createHash('sha256').update(body).digest('hex'), text: body },
      },
    ]);
    expect(told[0]!.headers).toContainEqual(['x-note', 'hello']);
    expect(JSON.stringify(told)).not.toContain('sk_live');
    expect(scene.inside.usedSecrets).toEqual([]);
  });

  it('reads a body of any length, and keeps a short text of it', async () => {
    await open({ limits: { hashedBytes: 1 } });
    const long = 'a'.repeat(MAX_WITHHELD_TEXT_BYTES + 1);
    const bodies = ['é'.repeat(MAX_WITHHELD_TEXT_BYTES / 2), long, Buffer.from([0xff, 0xfe]), ''];
    for (const body of bodies)
      expect((await call('/echo', { method: 'PUT', body, headers: { expect: '100-continue' } })).status).toBe(
        409,
      );
    expect(told.map(({ body }) => [body.bytes, body.text?.length ?? null])).toEqual([
      [MAX_WITHHELD_TEXT_BYTES, MAX_WITHHELD_TEXT_BYTES / 2],
      [long.length, null],
      [2, null],
      [0, 0],
    ]);
    expect(told[1]!.body.sha256).toBe(createHash('sha256').update(long).digest('hex'));
  });

  it('takes reads for writes that may be such to the host', async () => {
    await open();
    const { status } = await call('/echo', { headers: { 'x-http-method-override': 'DELETE' } });
    expect([status, (await call('/echo?_method=DELETE')).status]).toEqual([409, 409]);
    expect(told).toHaveLength(2);
  });

  it('does not tell of what no run would send', async () => {
    await open({ rules: [{ host: `api.test:${scene.origin.port}`, methods: ['GET'], paths: null }] });
    expect((await call('/echo', { method: 'POST' })).status).toBe(403);
    expect(told).toEqual([]);
  });

  it('does not send what a rule asks about, whatever it is', async () => {
    const host = `api.test:${scene.origin.port}`;
    await open({ rules: [{ host, methods: null, paths: ['/*'], ask: 'always' }] });
    expect((await call('/echo')).status).toBe(409);
    expect(told).toMatchObject([{ method: 'GET' }]);
  });

  it('responds as the first rule says that fits and says so, and sends nothing', async () => {
    const host = `api.test:${scene.origin.port}`;
    const made = { status: 201, body: '{"id":"ch_1"}', contentType: 'application/json' };
    const gone = { status: 204, body: null, contentType: null };
    await open({
      rules: [
        { host, methods: ['GET', 'PUT'], paths: null },
        { host, methods: ['POST'], paths: ['/charges', '/refunds/*'], plan: made },
        { host, methods: ['POST', 'DELETE'], paths: ['/refunds/*', '/echo'], plan: gone },
      ],
    });
    const tries = [
      ['POST', '/charges?a=1', 201],
      ['POST', '/refunds/1', 201],
      ['DELETE', '/refunds/1', 204],
      ['PUT', '/charges', 409],
      ['POST', '/refunds/../charges', 403],
      ['GET', '/echo', 200],
    ] as const;
    for (const [method, path, status] of tries) {
      const response = await call(path, { method, ...(method === 'POST' && { body: 'amount=5' }) });
      expect([method, path, response.status]).toEqual([method, path, status]);
      if (status === 201) {
        expect(response.text).toBe(made.body);
        expect(response.headers).toMatchObject({
          'content-type': 'application/json',
          'content-length': '13',
        });
        expect(response.headers).not.toHaveProperty('x-gate-error');
      }
    }
    expect(told.map(({ method, target }) => `${method} ${target}`)).toEqual([
      'POST /charges?a=1',
      'POST /refunds/1',
      'DELETE /refunds/1',
      'PUT /charges',
    ]);
    expect(scene.inside.gate.usage()).toMatchObject([{ requests: 1, denied: 5 }]);
  });

  it.each(['xn--a', 'xn--pple-43d'])('refuses %s, which nobody could declare by itself', async (label) => {
    await open({ declared: ['*.api.test'] });
    const response = await scene.inside.call(`${label}.api.test`, '/', { method: 'POST' });
    expect([response.status, told.map(({ host }) => host)]).toEqual([
      409,
      [`${label}.api.test:${scene.origin.port}`],
    ]);
  });

  it('has no response of a plan for a websocket, or in a run that sends', async () => {
    const host = `api.test:${scene.origin.port}`;
    const plan = { status: 202, body: null, contentType: null };
    const rules = [{ host, methods: null, paths: null, plan }];
    await open({ rules });
    const text = await scene.inside.raw(
      'api.test',
      `GET /echo HTTP/1.1\r\nHost: api.test:${scene.inside.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 409 /);
    scene.inside.close();
    await open({ rules, readsOnly: false });
    expect((await call('/echo', { method: 'POST' })).status).toBe(200);
  });

  it('refuses a websocket, which is told of as one', async () => {
    await open();
    const text = await scene.inside.raw(
      'api.test',
      `GET /echo HTTP/1.1\r\nHost: api.test:${scene.inside.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 409 [^]*x-gate-error: would_have_sent/);
    expect(told).toMatchObject([{ protocol: 'websocket', method: 'GET', target: '/echo' }]);
  });

  it.each(['tcp', 'tls'] as const)('refuses a connection by %s', async (protocol) => {
    const service = { host: 'db.test:7000', address: '127.1.0.1', protocol, secret: null };
    await open({ services: [service] });
    const listener = net.createServer();
    scene.inside.gate.serve(listener, { address: service.address, port: 7000 });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const socket = net.connect((listener.address() as net.AddressInfo).port, '127.0.0.1');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(told).toMatchObject([{ protocol, host: 'db.test:7000', method: 'CONNECT', target: '' }]);
    expect(scene.inside.lines).toEqual([expect.stringContaining('the run is only planned')]);
    expect(scene.inside.gate.usage()).toMatchObject([{ denied: 1 }]);
  });

  it(`tells of ${MOST_WHOLE} whole, and of no more text than there is room for`, async () => {
    await open();
    const body = 'x'.repeat(MAX_WITHHELD_TEXT_BYTES);
    const whole = MOST_TEXT_BYTES / body.length;
    for (let count = 0; count <= whole; count++) await call('/echo', { method: 'POST', body });
    for (let count = whole + 1; count <= MOST_WHOLE; count++) await call('/echo', { method: 'POST' });
    expect(told.map(({ body: { text } }) => text !== null)).toEqual([
      ...Array<boolean>(whole).fill(true),
      false,
      ...Array<boolean>(MOST_WHOLE - whole - 1).fill(true),
      false,
    ]);
    expect(told.map(({ headers }) => headers.length > 0).lastIndexOf(true)).toBe(MOST_WHOLE - 1);
  });

  it('sends nothing of two requests that come at once, or of one whose end does not come', async () => {
    await open();
    const connections = scene.origin.connections();
    const post = `POST /echo HTTP/1.1\r\nHost: api.test:${scene.inside.port}\r\nContent-Length: 2\r\n\r\n`;
    const socket = await scene.inside.tls('api.test');
    const closed = new Promise((resolve) => socket.resume().once('close', resolve));
    socket.write(`${post}ab${post}c`);
    await expect.poll(() => told.length).toBe(1);
    socket.end();
    await closed;
    expect(told).toHaveLength(1);
    expect(scene.origin.connections()).toBe(connections);
  });
});
