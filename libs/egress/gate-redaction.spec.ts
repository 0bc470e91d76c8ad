import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import zlib from 'node:zlib';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { GateSecret } from './gate-options.js';
import { HostSet } from './host-set.js';
import { Inside, Outside } from './test/gate-fixture.js';
import { type Origin, startOrigin } from './test/origin.js';
import { expectClean, reflected, SECRET } from './test/reflected-secret.js';

describe('responses to a script that has secrets', () => {
  let outside: Outside;
  let inside: Inside;
  let origin: Origin;
  let respond: http.RequestListener;
  let sent: http.IncomingHttpHeaders = {};
  beforeAll(async () => {
    outside = await Outside.open();
    const credentials = outside.credentials('api.test', 'open.test');
    origin = await outside.keep(
      startOrigin(credentials, (req, res) => {
        sent = req.headers;
        respond(req, res);
      }),
    );
  });
  afterEach(() => inside.close());
  afterAll(() => outside.close());

  async function open(secrets: Partial<GateSecret>[] = [{}]): Promise<void> {
    const hosts = new HostSet([`api.test:${origin.port}`]);
    inside = await Inside.open(outside, origin.port, {
      declared: ['api.test', 'open.test'],
      secrets: secrets.map((secret) => ({
        name: 'KEY',
        hosts,
        header: 'X-Api-Key',
        value: SECRET,
        ...secret,
      })),
    });
  }

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['gzip', zlib.gzipSync],
    ['x-gzip', zlib.gzipSync],
    ['br', zlib.brotliCompressSync],
    ['deflate', zlib.deflateSync],
    ['Deflate', zlib.deflateRawSync],
    ['identity', (bytes) => bytes],
    ['', (bytes) => bytes],
    ['gzip, br', (bytes) => zlib.brotliCompressSync(zlib.gzipSync(bytes))],
  ])('are masked when encoded as %j', async (coding, encode) => {
    await open();
    respond = (_req, res) => {
      const body = encode(Buffer.from(reflected()));
      res.writeHead(200, {
        ...(coding && { 'content-encoding': coding }),
        'content-length': body.length,
        etag: '"x"',
        'accept-ranges': 'bytes',
        digest: 'x=y',
        'content-md5': 'z',
      });
      res.end(body);
    };
    const got = await inside.call('api.test', '/', {
      headers: { range: 'bytes=0-5', 'accept-encoding': 'zstd, br' },
    });
    expectClean(got.text);
    expect(JSON.parse(got.text)).toMatchObject({ raw: '***' });
    for (const name of [
      'content-encoding',
      'content-length',
      'etag',
      'accept-ranges',
      'digest',
      'content-md5',
    ]) {
      expect(got.headers[name]).toBeUndefined();
    }
    expect(got.headers['transfer-encoding']).toBe('chunked');
    expect(sent['accept-encoding']).toBe('identity');
    expect(sent.range).toBeUndefined();
  });

  it('are masked in pieces of any size', async () => {
    await open();
    for (const size of [1, 2, 7, 33]) {
      respond = (_req, res) => {
        const body = Buffer.from(reflected());
        let at = 0;
        const next = (): void => {
          res.write(body.subarray(at, at + size));
          at += size;
          if (at < body.length) setImmediate(next);
          else res.end();
        };
        next();
      };
      expectClean((await inside.call('api.test', '/')).text);
    }
  });

  it('are masked in headers, status message and trailers', async () => {
    await open();
    respond = (_req, res) => {
      res.writeHead(200, `Key ${SECRET}`, {
        location: `/?key=${encodeURIComponent(SECRET)}`,
        'x-echo': SECRET,
        trailer: 'x-end',
      });
      res.write('body');
      res.addTrailers({ 'x-end': SECRET });
      res.end();
    };
    const got = await inside.call('api.test', '/');
    expect(got.headers).toMatchObject({ location: '/?key=***', 'x-echo': '***' });
    expect(got.trailers).toEqual({ 'x-end': '***' });
    const text = await inside.raw(
      'api.test',
      `GET / HTTP/1.1\r\nHost: api.test:${origin.port}\r\nConnection: close\r\n\r\n`,
    );
    expect(text).toContain('200 Key ***\r\n');
    expect(text).not.toContain('4eC39');
  });

  /** What the script gets of an echoing host that says a text, and after a pause the rest: the sizes of its chunks, and which came first. */
  /** What comes of `text` before the origin goes on, which it does when nothing more has come for a while. */
  async function echoed(text: string, after: string): Promise<{ early: number; sizes: string[] }> {
    let response: http.ServerResponse | undefined;
    respond = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/plain', date: 'now' });
      res.write(text);
      response = res;
    };
    const socket = await inside.tls('open.test');
    let raw = '';
    socket.on('data', (chunk: Buffer) => (raw += chunk.toString('latin1')));
    socket.write(`GET / HTTP/1.1\r\nHost: open.test:${origin.port}\r\n\r\n`);
    await expect.poll(() => raw).not.toBe('');
    const quiet = async (): Promise<number> => {
      for (let before = -1; before !== raw.length; await sleep(100)) before = raw.length;
      return raw.length;
    };
    const early = await quiet();
    response!.write(after);
    await quiet();
    response!.end('.');
    await expect.poll(() => raw.endsWith('\r\n0\r\n\r\n')).toBe(true);
    socket.destroy();
    return { early, sizes: [...raw.matchAll(/^([0-9a-f]+)\r$/gm)].map(([, size]) => size!) };
  }

  it('come in pieces, and at times, that tell nothing of a guess that is not all of a secret', async () => {
    await open();
    const filler = '-'.repeat(300);
    for (const known of [1, 3, 8, SECRET.length - 1]) {
      const right = await echoed(`data: ${SECRET.slice(0, known)}`, filler);
      const wrong = await echoed(`data: ${'!'.repeat(known)}`, filler);
      expect(right).toEqual(wrong);
      expect(right.early).toBeGreaterThan(0);
    }
    const short = [await echoed(SECRET.slice(0, 20), '\n'), await echoed('!'.repeat(20), '\n')];
    expect(short[0]).toEqual(short[1]);
  });

  it('tell nothing of such a guess in their head either, nor in what fails', async () => {
    await open();
    const heads = async (guess: string): Promise<string> => {
      respond = (_req, res) => {
        res.writeHead(200, `OK ${guess}`, { 'x-echo': guess, date: 'now' });
        res.end();
      };
      const head = await inside.raw('api.test', `GET / HTTP/1.1\r\nHost: api.test:${origin.port}\r\n\r\n`);
      respond = (_req, res) => res.writeHead(200, { 'content-encoding': guess }).end('x');
      const { text } = await inside.call('api.test', '/');
      return `${head}${text}${inside.lines.at(-1)}`.replaceAll(guess.slice(0, 50), '(guess)');
    };
    expect(await heads(SECRET.slice(0, 13))).toBe(await heads('!'.repeat(13)));
  });

  it('hand events on as soon as as many bytes as the longest form has follow them', async () => {
    await open();
    let write: (text: string) => void = () => undefined;
    respond = (_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      write = (text) => res.write(text);
      write('data: one\n\n');
    };
    const req = inside.request('api.test', '/');
    req.end();
    const res = await new Promise<http.IncomingMessage>((resolve) => req.on('response', resolve));
    write(`: ${'-'.repeat(400)}\n`);
    const text = await new Promise<string>((resolve) =>
      res.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    expect(text).toMatch(/^data: one\n\n: -+$/);
    req.destroy();
  });

  it('without a body are passed on', async () => {
    await open();
    respond = (req, res) => {
      if (req.method === 'HEAD')
        return void res.writeHead(200, { 'content-encoding': 'gzip', 'content-length': 100 }).end();
      res.writeHead(req.url === '/304' ? 304 : 204, { 'x-key': SECRET }).end();
    };
    expect(await inside.call('api.test', '/', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect(await inside.call('api.test', '/304')).toMatchObject({ status: 304, headers: { 'x-key': '***' } });
    expect(await inside.call('api.test', '/204')).toMatchObject({ status: 204, text: '' });
  });

  it('are searched on hosts that get none of the secrets too, in bytes that can be', async () => {
    await open();
    respond = (_req, res) => {
      const body = zlib.gzipSync(reflected());
      res.writeHead(200, `Key ${SECRET}`, {
        'content-encoding': 'gzip',
        etag: '"x"',
        'content-length': body.length,
        'x-echo': SECRET,
      });
      res.end(body);
    };
    const got = await inside.call('open.test', '/', {
      headers: { range: 'bytes=0-1', 'accept-encoding': 'gzip' },
    });
    expectClean(got.text);
    expect(got.headers).toMatchObject({ 'x-echo': '***' });
    expect(got.headers).not.toHaveProperty('etag');
    expect(got.headers).not.toHaveProperty('content-length');
    expect(sent).toMatchObject({ 'accept-encoding': 'identity' });
    expect(sent).not.toHaveProperty('range');
    expect(sent).not.toHaveProperty('x-api-key');
  });

  it('are left as they are where the script has no secrets', async () => {
    await open([]);
    const body = zlib.gzipSync(reflected());
    respond = (_req, res) =>
      res
        .writeHead(200, { 'content-encoding': 'gzip', etag: '"x"', 'content-length': body.length })
        .end(body);
    const got = await inside.call('open.test', '/', {
      headers: { range: 'bytes=0-1', 'accept-encoding': 'gzip' },
    });
    expect(got.body.equals(body)).toBe(true);
    expect(got.headers).toMatchObject({ etag: '"x"', 'content-encoding': 'gzip' });
    expect(sent).toMatchObject({ range: 'bytes=0-1', 'accept-encoding': 'gzip' });
  });

  it('show neither half of Basic credentials', async () => {
    const credentials = Buffer.from('account-7:pass/word').toString('base64');
    await open([{ header: 'Authorization', template: 'Basic {secret}', value: credentials }]);
    respond = (req, res) => {
      const [, encoded = ''] = (req.headers.authorization ?? '').split(' ');
      const decoded = Buffer.from(encoded, 'base64').toString();
      const [user, password] = decoded.split(':');
      res.end(JSON.stringify({ encoded, decoded, user, password: encodeURIComponent(password ?? '') }));
    };
    expect(JSON.parse((await inside.call('api.test', '/')).text)).toEqual({
      encoded: '***',
      decoded: '***',
      user: '***',
      password: '***',
    });
  });

  it('are left as they are when the secret is too short to look for', async () => {
    await open([{ value: 'short' }]);
    respond = (_req, res) => res.end('a short response');
    expect((await inside.call('api.test', '/')).text).toBe('a short response');
  });

  it('do not fill the memory when they unpack to much', async () => {
    await open();
    const bomb = zlib.gzipSync(Buffer.alloc(200_000_000));
    respond = (_req, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    const req = inside.request('api.test', '/');
    req.end();
    const res = await new Promise<http.IncomingMessage>((resolve) => req.on('response', resolve));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const before = process.memoryUsage().arrayBuffers;
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8_000_000);
    res.destroy();
  });
});
