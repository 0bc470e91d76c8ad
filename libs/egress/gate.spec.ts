import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { GateSecret } from './gate-options.js';
import { HostSet } from './host-set.js';
import { type Received, Inside, Outside, read } from './test/gate-fixture.js';
import { type Origin, startOrigin, startPlainOrigin } from './test/origin.js';

const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';

/** Sends back what it got. */
function echo(req: http.IncomingMessage, res: http.ServerResponse): void {
  void read(req).then((got) => {
    res.setHeader('content-type', 'application/json');
    res.end(
      JSON.stringify({
        method: req.method,
        url: req.url,
        raw: req.rawHeaders,
        body: got.text,
        trailers: req.trailers,
      }),
    );
  });
}

function seen(response: Received): {
  method: string;
  url: string;
  raw: string[];
  body: string;
  trailers: Record<string, string>;
} {
  return JSON.parse(response.text) as ReturnType<typeof seen>;
}

function valuesIn(raw: string[], name: string): string[] {
  return raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);
}

describe('the gate', { timeout: 30_000 }, () => {
  let outside: Outside;
  let inside: Inside;
  let origin: Origin;
  const big = randomBytes(3_000_000);
  const handlers: Record<string, http.RequestListener> = {
    '/echo': echo,
    '/big': (_req, res) => res.writeHead(200, { 'content-length': big.length }).end(big),
    '/chunks': (_req, res) => {
      res.setHeader('trailer', 'x-sum');
      res.write('one,');
      setTimeout(() => {
        res.addTrailers({ 'x-sum': '42' });
        res.end('two');
      }, 20);
    },
    '/sum': (req, res) => {
      const hash = createHash('sha256');
      req.on('data', (chunk: Buffer) => hash.update(chunk));
      req.on('end', () => res.end(hash.digest('hex')));
    },
    '/empty': (_req, res) => res.writeHead(204).end(),
    '/unchanged': (_req, res) => res.writeHead(304, { etag: '"a"' }).end(),
    '/headers': (_req, res) => {
      res.writeHead(200, 'All Right', [
        'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Case', 'Kept', 'Connection', 'x-hop', 'X-Hop', '1', 'Keep-Alive', 'timeout=5',
        'Proxy-Authenticate', 'Basic', 'Content-Length', '2',
      ]); // prettier-ignore
      res.end('ok');
    },
    '/early': (_req, res) => res.writeHead(413).end('too much'),
    '/events': (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      let count = 0;
      const timer = setInterval(() => {
        res.write(`data: ${count}\n\n`);
        count += 1;
      }, 30);
      res.on('close', () => clearInterval(timer));
    },
  };

  beforeAll(async () => {
    outside = await Outside.open();
    const credentials = outside.credentials('api.test', 'other.test', 'a.wild.test');
    origin = await outside.keep(
      startOrigin(
        credentials,
        (req, res) => handlers[(req.url ?? '').split('?')[0] ?? '']?.(req, res),
        (server) => {
          server.on('checkContinue', (req: http.IncomingMessage, res: http.ServerResponse) => {
            if (req.url === '/early') return void res.writeHead(413).end('too much');
            res.writeContinue();
            handlers[req.url ?? '']?.(req, res);
          });
        },
      ),
    );
  });
  afterEach(() => inside.close());
  afterAll(() => outside.close());

  async function open(options: { declared?: string[]; secrets?: GateSecret[] } = {}): Promise<void> {
    inside = await Inside.open(outside, origin.port, { declared: ['api.test', '*.wild.test'], ...options });
  }

  it('passes a request to a declared host and its response back', async () => {
    await open();
    const response = await inside.call('api.test', '/echo?a=1', { headers: { 'X-Mixed-Case': 'yes' } });
    expect(response.status).toBe(200);
    expect(seen(response)).toMatchObject({ method: 'GET', url: '/echo?a=1' });
    expect(seen(response).raw).toEqual(
      expect.arrayContaining(['X-Mixed-Case', 'yes', 'Host', `api.test:${origin.port}`]),
    );
    expect(inside.lines).toEqual([]);
  });

  it('matches wildcards, and not what only ends like a declared name', async () => {
    await open();
    expect((await inside.call('a.wild.test', '/echo')).status).toBe(200);
    expect((await inside.call('wild.test', '/echo')).status).toBe(403);
    expect((await inside.call('evilapi.test', '/echo')).status).toBe(403);
    expect((await inside.call('x.api.test', '/echo')).status).toBe(403);
  });

  it('refuses other hosts with a readable response and a line in the log', async () => {
    await open();
    const response = await inside.call('evil.test', '/', { method: 'POST', body: 'x'.repeat(300_000) });
    expect(response.status).toBe(403);
    expect(response.headers['content-type']).toMatch(/json/);
    const { error } = JSON.parse(response.text) as { error: { code: string; message: string } };
    expect(error.code).toBe('host_not_declared');
    expect(error.message).toContain(`evil.test:${origin.port}`);
    expect(inside.lines).toEqual([
      expect.stringMatching(/refused a request to evil\.test:\d+: the host is not declared$/),
    ]);
    expect(inside.gate.usage()).toEqual([expect.objectContaining({ denied: 1, requests: 0, bytesOut: 0 })]);
  });

  it('says so when the host is declared with another port', async () => {
    await open({ declared: ['api.test:9', 'api.test:10'] });
    expect((await inside.call('api.test', '/')).text).toContain('only with port 9 and 10');
  });

  it('sets secrets over whatever the script sent', async () => {
    const secrets = [
      {
        name: 'KEY',
        hosts: new HostSet([`api.test:${origin.port}`]),
        header: 'Authorization',
        template: 'Bearer {secret}',
        value: SECRET,
      },
    ];
    handlers['/sent'] = (req, res) => {
      const got = valuesIn(req.rawHeaders, 'authorization');
      res.end(
        JSON.stringify({
          right: got.length === 1 && got[0] === `Bearer ${SECRET}`,
          raw: req.rawHeaders.length,
        }),
      );
    };
    await open({ declared: ['api.test', 'other.test'], secrets });
    const headers = [
      'host',
      `api.test:${origin.port}`,
      'AUTHORIZATION',
      'mine',
      'authorization',
      'mine too',
      'Connection',
      'authorization',
    ];
    expect((await inside.call('api.test', '/sent', { headers })).text).toContain('"right":true');
    expect(inside.usedSecrets).toEqual(['KEY']);
    const other = await inside.call('other.test', '/echo', { headers: { authorization: 'own' } });
    expect(valuesIn(seen(other).raw, 'authorization')).toEqual(['own']);
    expect(inside.usedSecrets).toEqual(['KEY']);
  });

  it('leaves headers of the connection out, both ways', async () => {
    await open();
    const headers = {
      connection: 'X-Private, keep-alive', 'x-private': '1', 'keep-alive': 'timeout=9', te: 'trailers', 'proxy-authorization': 'x', 'x-kept': '1',
    }; // prettier-ignore
    const { raw } = seen(await inside.call('api.test', '/echo', { headers }));
    const names = raw.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    expect(names).toEqual(expect.arrayContaining(['x-kept', 'host', 'connection']));
    for (const name of ['x-private', 'te', 'proxy-authorization', 'keep-alive'])
      expect(names).not.toContain(name);
    expect(valuesIn(raw, 'connection')).toEqual(['keep-alive']);

    const response = await inside.call('api.test', '/headers');
    expect(response.headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(response.rawHeaders).toEqual(expect.arrayContaining(['X-Case', 'Kept']));
    for (const name of ['x-hop', 'proxy-authenticate']) expect(response.headers[name]).toBeUndefined();
  });

  it('streams bodies both ways unchanged', async () => {
    await open();
    expect((await inside.call('api.test', '/big')).body.equals(big)).toBe(true);
    const sum = createHash('sha256').update(big).digest('hex');
    expect((await inside.call('api.test', '/sum', { method: 'PUT', body: big })).text).toBe(sum);
    const chunked = await inside.call('api.test', '/sum', {
      method: 'POST',
      headers: { 'transfer-encoding': 'chunked' },
      body: big,
    });
    expect(chunked.text).toBe(sum);
  });

  it('passes chunked responses with their trailers, and trailers of requests', async () => {
    await open();
    const response = await inside.call('api.test', '/chunks');
    expect(response.text).toBe('one,two');
    expect(response.trailers).toEqual({ 'x-sum': '42' });
    const req = inside.request('api.test', '/echo', {
      method: 'POST',
      headers: { trailer: 'x-end', 'transfer-encoding': 'chunked' },
    });
    req.write('body');
    req.addTrailers({ 'x-end': 'yes', authorization: 'no' });
    req.end();
    const echoed = await new Promise<Received>((resolve) =>
      req.on('response', (res) => void read(res).then(resolve)),
    );
    expect(seen(echoed)).toMatchObject({ body: 'body', trailers: { 'x-end': 'yes' } });
    expect(seen(echoed).trailers).not.toHaveProperty('authorization');
  });

  it('passes responses without a body', async () => {
    await open();
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    const head = await inside.call('api.test', '/big', { method: 'HEAD', agent });
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': String(big.length) } });
    expect(await inside.call('api.test', '/empty', { agent })).toMatchObject({ status: 204, text: '' });
    expect(await inside.call('api.test', '/unchanged', { agent })).toMatchObject({
      status: 304,
      text: '',
      headers: { etag: '"a"' },
    });
    for (const method of ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PROPFIND']) {
      expect(seen(await inside.call('api.test', '/echo', { method, agent }))).toMatchObject({
        method,
        body: '',
      });
    }
    agent.destroy();
  });

  it('keeps connections alive on both sides', async () => {
    await open();
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    const before = origin.connections();
    const sockets = new Set<unknown>();
    for (let count = 0; count < 5; count += 1) {
      const req = inside.request('api.test', '/echo', { agent });
      req.on('socket', (socket) => sockets.add(socket));
      req.end();
      await new Promise<void>((resolve) => req.on('response', (res) => void read(res).then(() => resolve())));
    }
    expect(sockets.size).toBe(1);
    expect(origin.connections() - before).toBe(1);
    agent.destroy();
  });

  it('hands server-sent events on as they come, and hangs up when the script does', async () => {
    await open();
    const req = inside.request('api.test', '/events');
    req.end();
    const res = await new Promise<http.IncomingMessage>((resolve) => req.on('response', resolve));
    let text = '';
    await new Promise<void>((resolve) => {
      res.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes('data: 2')) resolve();
      });
    });
    req.destroy();
    expect(text).toMatch(/^data: 0\n\ndata: 1/);
  });

  it('sends "100 Continue" when the host does', async () => {
    await open();
    const req = inside.request('api.test', '/sum', {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': 5 },
    });
    req.flushHeaders();
    await new Promise<void>((resolve) => req.once('continue', resolve));
    req.end('hello');
    const response = await new Promise<Received>((resolve) =>
      req.on('response', (res) => void read(res).then(resolve)),
    );
    expect(response.text).toBe(createHash('sha256').update('hello').digest('hex'));

    const early = inside.request('api.test', '/early', {
      method: 'POST',
      headers: { expect: '100-continue', 'content-length': 5 },
    });
    early.flushHeaders();
    const refused = await new Promise<Received>((resolve) =>
      early.on('response', (res) => void read(res).then(resolve)),
    );
    expect(refused).toMatchObject({ status: 413, text: 'too much', headers: { connection: 'close' } });
    early.destroy();
  });

  it('lets an early response through while the script still sends', async () => {
    await open();
    expect(await inside.call('api.test', '/early', { method: 'POST', body: big })).toMatchObject({
      status: 413,
      text: 'too much',
    });
  });

  it('sends requests to another origin where that is set', async () => {
    const plain = await outside.keep(startPlainOrigin(echo));
    const origins = new Map([
      [`mirror.test:${origin.port}`, { host: '127.0.0.2', port: plain.port, protocol: 'http:' as const }],
    ]);
    inside = await Inside.open(outside, origin.port, { declared: ['mirror.test'], origins });
    const { raw } = seen(await inside.call('mirror.test', '/echo'));
    expect(valuesIn(raw, 'host')).toEqual([`127.0.0.2:${plain.port}`]);
  });

  it('counts requests and bytes by host', async () => {
    await open();
    await inside.call('api.test', '/big');
    await inside.call('api.test', '/sum', { method: 'POST', body: 'x'.repeat(1000) });
    await inside.call('evil.test', '/');
    await new Promise((resolve) => setTimeout(resolve, 1200));
    inside.close();
    const usage = new Map(inside.lastUsage.map((one) => [one.host, one]));
    const api = usage.get(`api.test:${origin.port}`);
    expect(api).toMatchObject({ requests: 2, denied: 0 });
    expect(api?.bytesIn).toBeGreaterThan(3_000_000);
    expect(api?.bytesIn).toBeLessThan(3_001_000);
    expect(api?.bytesOut).toBeGreaterThan(1000);
    expect(api?.bytesOut).toBeLessThan(2000);
    expect(usage.get(`evil.test:${origin.port}`)).toMatchObject({ requests: 0, denied: 1 });
  });

  it('refuses a secret that no header can carry', async () => {
    const secret = {
      name: 'KEY',
      hosts: new HostSet(['api.test']),
      header: 'x-key',
      value: 'two\nlines of it',
    };
    await expect(open({ secrets: [secret] })).rejects.toThrow(/the secret KEY cannot be sent.*line break/);
    await expect(open({ secrets: [{ ...secret, value: 'fine-value', header: 'Host' }] })).rejects.toThrow(
      /Host is not a header/,
    );
    await open();
  });
});
