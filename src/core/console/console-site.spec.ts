import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ConsoleSite } from './console-site.js';

const SCRIPT = 'console.log("hello");'.repeat(100);
const PAGE = `<head><base href="__BASE_PATH__/"><meta name="csp-nonce" content="__CSP_NONCE__"></head>`;

let directory: string;
let server: Server;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'console-site-'));
  await mkdir(join(directory, 'assets'));
  await mkdir(join(directory, '.vite'));
  await writeFile(join(directory, 'index.html'), PAGE);
  await writeFile(join(directory, 'sign-in.html'), `${PAGE}<title>Sign in</title>`);
  await writeFile(join(directory, '.vite/manifest.json'), '{}');
  await writeFile(join(directory, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(directory, 'assets/app-1a2b.js'), SCRIPT);
  await writeFile(join(directory, 'assets/app-1a2b.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(directory, 'assets/app-1a2b.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(directory, 'assets/gone-3c4d.js'), SCRIPT);
  const site = ConsoleSite.in(directory, '/a"b')!;
  const app = express();
  app.use((incoming, response, next) => {
    const path = incoming.path.slice(1);
    if (site.has(path)) site.sendFile(path, incoming, response, next);
    else if (path === '' || path === 'sign-in') site.sendPage(path === '' ? 'app' : 'signIn', response);
    else next();
  });
  await rm(join(directory, 'assets/gone-3c4d.js'));
  server = createServer(app).listen(0);
});

afterAll(async () => {
  server.close();
  await rm(directory, { recursive: true });
});

interface Reply {
  status: number;
  headers: Record<string, string | undefined>;
  bytes: Buffer;
}

/** Without what `fetch` decodes and adds by itself. */
function get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
  const { port } = server.address() as AddressInfo;
  return new Promise((done, fail) => {
    request({ port, path, headers }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () =>
        done({
          status: incoming.statusCode!,
          headers: incoming.headers as Reply['headers'],
          bytes: Buffer.concat(chunks),
        }),
      );
    })
      .on('error', fail)
      .end();
  });
}

describe('a file', () => {
  it.each([
    ['br, gzip', 'br', brotliCompressSync(SCRIPT)],
    ['gzip', 'gzip', gzipSync(SCRIPT)],
    ['gzip, br;q=0', 'gzip', gzipSync(SCRIPT)],
    ['identity', undefined, Buffer.from(SCRIPT)],
  ])('is sent as a client takes it that accepts %s', async (accepted, encoding, bytes) => {
    const reply = await get('/assets/app-1a2b.js', { 'accept-encoding': accepted });
    expect(reply.status).toBe(200);
    expect(reply.bytes).toEqual(bytes);
    expect(reply.headers).toMatchObject({
      'content-type': expect.stringMatching(/javascript/),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    });
    expect(reply.headers['content-encoding']).toBe(encoding);
  });

  it('is asked for again where its name has no hash', async () => {
    const { headers } = await get('/favicon.svg');
    expect(headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' });
    expect((await get('/favicon.svg', { 'if-none-match': headers['etag']! })).status).toBe(304);
  });

  it.each([
    ...['/.vite/manifest.json', '/assets/../../package.json', '/assets/gone-3c4d.js'],
    ...['/index.html', '/sign-in.html'],
  ])('is not %s', async (path) => {
    const { status, headers } = await get(path, { range: 'bytes=5-2' });
    expect(status).toBe(404);
    expect(headers['cache-control'] ?? '').not.toContain('immutable');
  });
});

describe('the page', () => {
  it('has the path that the service is reached under, and a nonce of its own each time', async () => {
    const nonces = new Set<string>();
    for (let count = 0; count < 2; count++) {
      const { headers, bytes } = await get('/');
      const [, base, nonce] = /href="(.*)\/"><meta name="csp-nonce" content="(.*)">/.exec(bytes.toString())!;
      expect(base).toBe('/a&#34;b');
      expect(headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce!}'`);
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'x-frame-options': 'DENY',
      });
      nonces.add(nonce!);
    }
    expect(nonces.size).toBe(2);
  });

  it('is another one to sign in', async () => {
    expect((await get('/sign-in')).bytes.toString()).toContain('<title>Sign in</title>');
    expect((await get('/')).bytes.toString()).not.toContain('<title>');
  });

  it('is none where nothing was built', () => {
    expect(ConsoleSite.in(join(directory, 'assets'), '')).toBeNull();
  });
});
