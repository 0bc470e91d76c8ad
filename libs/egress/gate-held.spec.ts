import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { HostSet } from './host-set.js';
import type { HostRule } from './request-rules.js';
import { DENIED, Desk } from './test/desk.js';
import { VariedGate } from './test/varied-gate.js';
import { seen } from './test/varied-origin.js';

describe('a gate that holds requests', () => {
  const scene = VariedGate.forEach();
  let desk: Desk;

  async function open(more: Partial<HostRule> = {}, options = {}): Promise<void> {
    desk = new Desk();
    const host = `api.test:${scene.origin.port}`;
    const ask = { host, methods: ['POST'], paths: ['/echo', '/sum'], ask: 'always' as const, ...more };
    const rules = [ask, { host, methods: null, paths: ['/*'] }];
    const secrets = [{ name: 'KEY', hosts: new HostSet([host]), header: 'x-api-key', value: 'sk_live_1234' }];
    const { onHeld } = desk;
    await scene.open({ declared: ['api.test', 'other.test'], rules, secrets, onHeld, ...options });
  }

  it('sends exactly what was shown, after a yes', async () => {
    await open();
    const connections = scene.origin.connections();
    const headers = { 'x-note': 'hello', 'x-api-key': 'placeholder', 'transfer-encoding': 'chunked' };
    const body = 'amount=5&to=me';
    const response = scene.inside.call('api.test', '/echo?a=1', { method: 'POST', body, headers });
    const { request, decide } = await desk.next(0);
    const digest = createHash('sha256').update(body).digest('hex');
    expect(request).toMatchObject({
      number: 1,
      protocol: 'https',
      host: `api.test:${scene.origin.port}`,
      method: 'POST',
      target: '/echo?a=1',
      body: { bytes: body.length, sha256: digest, text: body, cut: false },
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(request.headers).toContainEqual(['x-note', 'hello']);
    expect(JSON.stringify(request)).not.toContain('sk_live');
    expect(scene.origin.connections()).toBe(connections);
    expect(scene.inside.usedSecrets).toEqual([]);
    decide(null);
    const sent = seen(await response);
    expect(sent).toMatchObject({ method: 'POST', url: '/echo?a=1', body });
    const names = sent.raw.map((name) => name.toLowerCase());
    expect(sent.raw[names.indexOf('content-length') + 1]).toBe(String(body.length));
    expect(names).not.toContain('transfer-encoding');
    expect(names).not.toContain('placeholder');
    expect(scene.inside.usedSecrets).toEqual(['KEY']);
  });

  it('answers with the refusal after a no, and sends nothing', async () => {
    await open();
    const connections = scene.origin.connections();
    const response = scene.inside.call('api.test', '/echo', { method: 'POST', body: 'x' });
    (await desk.next(0)).decide(DENIED);
    const { status, headers, text } = await response;
    expect([status, headers['x-gate-error']]).toEqual([403, 'request_not_approved']);
    expect(text).toContain('not today');
    expect(scene.origin.connections()).toBe(connections);
    expect(scene.inside.lines).toEqual([expect.stringContaining('a person has denied it')]);
    expect(scene.inside.gate.usage()).toMatchObject([{ requests: 0, denied: 1 }]);
  });

  it('looks no name up before the yes', async () => {
    await open();
    const asked = scene.outside.dns.asked.length;
    const response = scene.inside.call('api.test', '/echo', { method: 'POST', body: 'x' });
    const { decide } = await desk.next(0);
    expect(scene.outside.dns.asked.length).toBe(asked);
    decide(null);
    expect((await response).status).toBe(200);
  });

  it('passes what no rule asks about', async () => {
    await open();
    expect((await scene.inside.call('api.test', '/echo')).status).toBe(200);
    expect((await scene.inside.call('other.test', '/echo', { method: 'POST' })).status).toBe(200);
    expect(desk.held).toEqual([]);
  });

  it.each(['/ECHO', '/echo/', '/%65cho', '/%2565cho', '/echo?x=1', '/ec%68o/', '/echo%20', '/%EF%BD%85cho'])(
    'holds %s, which a host may take for the path that is asked about',
    async (path) => {
      await open();
      const response = scene.inside.call('api.test', path, { method: 'POST' });
      await Promise.race([response, desk.next(0)]);
      for (const { decide } of desk.held) decide(DENIED);
      expect((await response).status).toBe(403);
    },
  );

  it('refuses a websocket that is asked about', async () => {
    await open({ methods: ['GET'] });
    const text = await scene.inside.raw(
      'api.test',
      `GET /echo HTTP/1.1\r\nHost: api.test:${scene.inside.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    expect(text).toContain('HTTP/1.1 403');
    expect(text).toContain('A websocket cannot be held');
    expect(desk.held).toEqual([]);
  });

  it('refuses trailers, which would come after what is shown', async () => {
    await open();
    const host = `api.test:${scene.inside.port}`;
    const text = await scene.inside.raw(
      'api.test',
      `POST /echo HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX-More: y\r\n\r\n`,
    );
    expect(text).toContain('cannot have trailers');
    expect(desk.held).toEqual([]);
  });

  it('refuses a body beyond its limit, declared or not', async () => {
    await open({}, { limits: { hashedBytes: 1_048_576 } });
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const body = 'x'.repeat(1_048_577);
      const response = await scene.inside.call('api.test', '/sum', { method: 'POST', body, headers });
      expect([response.status, response.headers['x-gate-error']]).toEqual([413, 'body_too_large']);
    }
    expect(desk.held).toEqual([]);
  });

  it('has the whole body hashed, and shows the beginning if it is text', async () => {
    await open();
    const bodies = ['ä'.repeat(40_000), Buffer.from([0xff, 0xfe, 0x00])];
    for (const [at, body] of bodies.entries()) {
      const response = scene.inside.call('api.test', '/sum', { method: 'POST', body });
      const { request, decide } = await desk.next(at);
      const sha256 = createHash('sha256').update(body).digest('hex');
      expect(request.body.sha256).toBe(sha256);
      decide(null);
      expect((await response).text).toBe(sha256);
    }
    expect(desk.held.map(({ request: { body } }) => [body.text?.length ?? null, body.cut])).toEqual([
      [32_768, true],
      [null, false],
    ]);
  });

  it('tells two requests apart by anything that is sent', async () => {
    await open();
    const variants: [string, string, Record<string, string>][] = [
      ['/echo', 'a', {}],
      ['/echo', 'a', {}],
      ['/echo', 'b', {}],
      ['/echo?x', 'a', {}],
      ['/echo', 'a', { 'x-more': '1' }],
      ['/sum', 'a', {}],
    ];
    for (const [at, [path, body, headers]] of variants.entries()) {
      const response = scene.inside.call('api.test', path, { method: 'POST', body, headers });
      (await desk.next(at)).decide(DENIED);
      await response;
    }
    const hashes = desk.held.map(({ request }) => request.sha256);
    expect(hashes[0]).toBe(hashes[1]);
    expect(new Set(hashes).size).toBe(variants.length - 1);
  });

  it('waits longer than its time-outs', async () => {
    await open({}, { timeouts: { headersMs: 1_500, idleMs: 1_000, handshakeMs: 10_000 } });
    const response = scene.inside.call('api.test', '/echo', { method: 'POST', body: 'x' });
    const { decide, gone } = await desk.next(0);
    expect(await scene.inside.raw('api.test', 'GET / HTTP/1.1\r\nHost: ')).toContain('HTTP/1.1 408');
    expect(gone.aborted).toBe(false);
    decide(null);
    expect((await response).status).toBe(200);
  });

  it('asks for the body at once where the script waits for a word', async () => {
    await open();
    const socket = await scene.inside.tls('api.test');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const host = `api.test:${scene.inside.port}`;
    socket.write(`POST /echo HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n`);
    await expect.poll(() => text).toContain('100 Continue');
    expect(desk.held).toEqual([]);
    socket.write('hello');
    (await desk.next(0)).decide(null);
    await expect.poll(() => text).toContain(':"hello"');
    expect(text.match(/100 Continue/g)).toHaveLength(1);
    socket.destroy();
  });

  it('refuses where nobody can decide', async () => {
    await open({}, { onHeld: undefined });
    const none = await scene.inside.call('api.test', '/echo', { method: 'POST' });
    expect([none.status, none.headers['x-gate-error']]).toEqual([403, 'request_not_approved']);
    scene.inside.close();
    await open({}, { onHeld: () => Promise.reject(new Error('no database')) });
    expect((await scene.inside.call('api.test', '/echo', { method: 'POST' })).status).toBe(403);
  });
});
