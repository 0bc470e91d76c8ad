import http from 'node:http';
import https from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSafeAgent, createSafePlainAgent } from './safe-agent.js';
import { Outside, read } from './test/gate-fixture.js';
import { type Origin, startOrigin, startPlainOrigin, startTcp } from './test/origin.js';

describe('safe agents', () => {
  let outside: Outside;
  let origin: Origin;
  beforeAll(async () => {
    outside = await Outside.open();
    origin = await outside.keep(
      startOrigin(outside.credentials('hook.test'), (req, res) => res.end(req.headers.host)),
    );
  });
  afterAll(() => outside.close());

  function get(url: string, options: https.RequestOptions): Promise<string> {
    return new Promise((resolve, reject) => {
      const client = url.startsWith('https:') ? https : http;
      client
        .get(url, options, (res) => void read(res).then(({ text }) => resolve(text), reject))
        .on('error', reject);
    });
  }

  it('reuse connections', async () => {
    const agent = createSafeAgent({ dialer: outside.usualDialer });
    const before = origin.connections();
    for (let count = 0; count < 3; count += 1) {
      expect(await get(`https://hook.test:${origin.port}/`, { agent })).toBe(`hook.test:${origin.port}`);
    }
    expect(origin.connections() - before).toBe(1);
    agent.destroy();
  });

  it('drop idle connections', async () => {
    const agent = createSafeAgent({ dialer: outside.usualDialer, idleMs: 500 });
    await get(`https://hook.test:${origin.port}/`, { agent });
    expect(Object.keys(agent.freeSockets)).toHaveLength(1);
    await expect.poll(() => Object.keys(agent.freeSockets)).toHaveLength(0);
    agent.destroy();
  });

  it.each([
    [undefined, 4_000],
    ['timeout=3', 2_000],
    ['max=100, timeout=3', 2_000],
    ['Timeout = "3"', 2_000],
    ['timeout=60', 4_000],
    ['timeout=1', null],
    ['timeout=0', null],
  ])('keep an idle connection less a second of what its server says: %s', async (hint, kept) => {
    const hinting = await outside.keep(
      startOrigin(
        outside.credentials('hook.test'),
        (_req, res) => {
          if (hint !== undefined) res.setHeader('keep-alive', hint);
          else res.removeHeader('keep-alive');
          res.end();
        },
        (server) => (server.keepAliveTimeout = 0),
      ),
    );
    const agent = createSafeAgent({ dialer: outside.usualDialer });
    await get(`https://hook.test:${hinting.port}/`, { agent });
    await expect.poll(() => Object.keys(agent.sockets)).toEqual([]);
    const idle = Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? []);
    expect(idle.map(({ timeout }) => timeout)).toEqual(kept === null ? [] : [kept]);
    agent.destroy();
  });

  it('check the certificate for the host that is dialled, not for the Host header', async () => {
    outside.dns.records.set('elsewhere.test', ['127.0.0.2']);
    const agent = createSafeAgent({ dialer: outside.usualDialer });
    const lie = get(`https://elsewhere.test:${origin.port}/`, {
      agent,
      headers: { host: 'hook.test' },
      servername: 'hook.test',
    });
    await expect(lie).rejects.toMatchObject({ code: 'TLS_FAILED', host: 'elsewhere.test' });
    agent.destroy();
  });

  it('refuse what the dialer refuses, also by a socket path', async () => {
    const agent = createSafeAgent({ dnsServers: [outside.dns.address] });
    await expect(get(`https://hook.test:${origin.port}/`, { agent })).rejects.toMatchObject({
      code: 'EGRESS_REFUSED',
      host: 'hook.test',
    });
    await expect(get('https://[::1]/', { agent })).rejects.toMatchObject({ code: 'EGRESS_REFUSED' });
    await expect(get('https://0x7f000001/', { agent })).rejects.toMatchObject({ code: 'EGRESS_REFUSED' });
    await expect(get('https://hook.test/', { agent, socketPath: '/run/docker.sock' })).rejects.toMatchObject({
      code: 'EGRESS_REFUSED',
    });
    agent.destroy();
  });

  it('speak plain HTTP where that is wanted', async () => {
    const plain = await outside.keep(startPlainOrigin((_req, res) => res.end('plain')));
    const agent = createSafePlainAgent({ dialer: outside.usualDialer });
    expect(await get(`http://hook.test:${plain.port}/`, { agent })).toBe('plain');
    agent.destroy();
  });

  it('end what is being dialled when they are destroyed', async () => {
    const silent = await outside.keep(startTcp(() => undefined));
    const agent = createSafeAgent({ dialer: outside.usualDialer });
    const request = get(`https://hook.test:${silent.port}/`, { agent });
    setTimeout(() => agent.destroy(), 50);
    await expect(request).rejects.toThrow('the agent was destroyed');
  });
});
