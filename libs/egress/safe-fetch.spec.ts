import { setImmediate as tick } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSafeFetch, type SafeFetch } from './safe-fetch.js';
import { Outside, read } from './test/gate-fixture.js';
import { type Origin, startOrigin } from './test/origin.js';

describe('safe fetch', () => {
  let outside: Outside;
  let origin: Origin;
  let safe: SafeFetch;
  const at = (path: string): string => `https://app.test:${origin.port}${path}`;
  beforeAll(async () => {
    outside = await Outside.open();
    origin = await outside.keep(
      startOrigin(outside.credentials('app.test'), (req, res) => {
        if (req.url === '/moved') return void res.writeHead(302, { location: '/echo' }).end();
        if (req.url === '/empty') return void res.writeHead(204).end();
        if (req.url === '/silent') return;
        if (req.url === '/stalls') return void res.write('begun');
        if (req.url === '/long') return void res.end('x'.repeat(101));
        const { method, headers } = req;
        res.setHeader('set-cookie', ['a=1', 'b=2']);
        void read(req).then(({ text }) => res.end(JSON.stringify({ method, headers, body: text })));
      }),
    );
    safe = createSafeFetch({ dialer: outside.usualDialer, maxResponseBytes: 100_000 });
  });
  afterAll(async () => {
    safe.close();
    await outside.close();
  });

  it('sends method, headers and body, and gives status, headers and body', async () => {
    const response = await safe.fetch(at('/echo'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-one': 'two' },
      body: '{"é":1}',
    });
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.json()).toMatchObject({
      method: 'POST',
      headers: { 'content-length': '8', 'x-one': 'two', host: `app.test:${origin.port}` },
      body: '{"é":1}',
    });
    expect(await (await safe.fetch(new Request(at('/echo')))).json()).toMatchObject({ method: 'GET' });
  });

  it('follows no redirect', async () => {
    const response = await safe.fetch(at('/moved'), { redirect: 'follow' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '/echo']);
  });

  it('takes responses without a body', async () => {
    const response = await safe.fetch(at('/empty'));
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  it('cuts off what is too long', async () => {
    const small = createSafeFetch({ dialer: outside.usualDialer, maxResponseBytes: 100 });
    const response = await small.fetch(at('/long'));
    await expect(response.text()).rejects.toThrow('longer than 100 bytes');
    small.close();
  });

  it('waits for headers only so long, and for anything as long as the signal lets it', async () => {
    const hasty = createSafeFetch({ dialer: outside.usualDialer, headersTimeoutMs: 500 });
    await expect(hasty.fetch(at('/silent'))).rejects.toMatchObject({ name: 'TimeoutError' });
    hasty.close();
    await expect(safe.fetch(at('/echo'), { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow(
      'gone',
    );
    const ending = new AbortController();
    const response = await safe.fetch(at('/stalls'), { signal: ending.signal });
    const text = response.text();
    ending.abort(new Error('enough'));
    await expect(text).rejects.toThrow('enough');
  });

  it('hears the signal although memory is tidied up meanwhile', async () => {
    setFlagsFromString('--expose-gc');
    const tidy = runInNewContext('gc') as () => void;
    const ending = new AbortController();
    const response = await safe.fetch(at('/stalls'), { signal: ending.signal });
    const text = response.text();
    for (let round = 0; round < 5; round++) {
      tidy();
      await tick();
    }
    ending.abort(new Error('enough'));
    await expect(text).rejects.toThrow('enough');
  });

  it('dials nothing that the dialer refuses', async () => {
    const strict = createSafeFetch({ dnsServers: [outside.dns.address] });
    await expect(strict.fetch(at('/echo'))).rejects.toMatchObject({ code: 'EGRESS_REFUSED' });
    await expect(strict.fetch('http://169.254.169.254/')).rejects.toMatchObject({ code: 'EGRESS_REFUSED' });
    await expect(strict.fetch('file:///etc/passwd')).rejects.toThrow(TypeError);
    strict.close();
  });
});
