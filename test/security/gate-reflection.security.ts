import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { aGatedAttacker } from './support/gated.js';
import { expectNoSecret, SECRET, secretHost as startSecretHost, withSecret } from './support/gate-secret.js';

const attacker = aGatedAttacker();
const secretHost = (listener: RequestListener): Promise<number> => startSecretHost(attacker, listener);

describe('a host that reflects the secret shows none of it', () => {
  type Reflect = (response: ServerResponse, value: string) => void;
  const coded =
    (coding: string, compress: (text: string) => Buffer): Reflect =>
    (response, value) => {
      response.setHeader('content-encoding', coding);
      const bytes = compress(`<${value}> ${'filler '.repeat(200)}<${Buffer.from(value).toString('base64')}>`);
      response.setHeader('etag', `"${createHash('sha256').update(bytes).digest('hex')}"`);
      // In pieces that the gate cannot take for one.
      const send = (from: number): void => {
        if (from >= bytes.length) return void response.end();
        response.write(bytes.subarray(from, from + 7), () => setImmediate(send, from + 7));
      };
      send(0);
    };
  const letters =
    (text: (value: string) => string, pauseMs = 0): Reflect =>
    (response, value) => {
      const whole = text(value);
      const send = (at: number): void => {
        if (at >= whole.length) return void response.end();
        response.write(whole[at]!, () => setTimeout(send, pauseMs, at + 1));
      };
      send(0);
    };

  it.each<[string, Reflect, RegExp]>([
    ['in its body', (response, value) => response.end(`<${value}>`), /<\*\*\*>/],
    [
      'in its headers and its reason',
      (response, value) => {
        response.writeHead(200, `Key ${value}`, {
          'x-seen': value,
          'set-cookie': [`a=${value}`, `b=${encodeURIComponent(value)}`],
        });
        response.end();
      },
      /200 Key \*\*\*[^]*x-seen: \*\*\*/,
    ],
    [
      'in its trailers',
      (response, value) => {
        response.setHeader('trailer', 'x-after');
        response.write('body');
        response.addTrailers({ 'x-after': value });
        response.end();
      },
      /body/,
    ],
    ['as JSON', (response, value) => response.end(JSON.stringify({ value })), /\{"value":"\*\*\*"\}/],
    ['as JSON in JSON', (response, value) => response.end(JSON.stringify(JSON.stringify([value]))), /\*\*\*/],
    [
      'in base64, at each alignment',
      (response, value) =>
        response.end(
          ['', 'x', 'xx'].map((before) => Buffer.from(before + value + 'yy').toString('base64')).join(' '),
        ),
      /\*\*\*.*\*\*\*.*\*\*\*/,
    ],
    ['escaped for URLs', (response, value) => response.end(`?k=${encodeURIComponent(value)}`), /\?k=\*\*\*/],
    [
      'in hexadecimal, lower and upper case',
      (response, value) => {
        const hex = Buffer.from(value).toString('hex');
        response.end(`<${hex}> <${hex.toUpperCase()}>`);
      },
      /<\*\*\*> <\*\*\*>/,
    ],
    [
      'escaped for HTML',
      (response, value) =>
        response.end(
          [value.replaceAll('"', '&quot;'), value.replaceAll('"', '&#34;').replaceAll('+', '&#43;')]
            .map((text) => `<b>${text}</b>`)
            .join(''),
        ),
      /<b>\*\*\*<\/b><b>\*\*\*<\/b>/,
    ],
    ['gzipped, split over chunks', coded('gzip', gzipSync), /<\*\*\*>/],
    ['in br, split over chunks', coded('br', brotliCompressSync), /<\*\*\*>/],
    ['deflated', coded('deflate', deflateSync), /<\*\*\*>/],
    ['deflated without a header', coded('deflate', deflateRawSync), /<\*\*\*>/],
    ['gzipped twice', coded('gzip, gzip', (text) => gzipSync(gzipSync(text))), /<\*\*\*>/],
    ['letter by letter', letters((value) => `<${value}>`), /\*\*\*/],
    ['slowly, letter by letter', letters((value) => `<${value}>`, 60), /<\*\*\*>/],
    ['in an error', (response, value) => response.writeHead(401).end(`bad key ${value}`), /bad key \*\*\*/],
  ])('%s', async (_, reflect, shown) => {
    const port = await secretHost((request, response) =>
      reflect(response, request.headers['x-key'] as string),
    );
    const end = await attacker.attempt(
      // Written backwards into the output as well, where masking the output would not find it.
      `text = get(${port}, headers="Accept-Encoding: gzip, br\\r\\nRange: bytes=5-\\r\\nTE: trailers\\r\\n")["text"]
import re
text = re.sub("\\r\\n[0-9a-f]+\\r\\n", "", text)
print(json.dumps([text, text[::-1]]))`,
      withSecret(port),
    );
    expect(end).toMatchObject({ status: 'succeeded' });
    const [text, reversed] = end.output;
    expect(text).toMatch(shown);
    const back = [...(reversed as string)].reverse().join('');
    expectNoSecret(text);
    expectNoSecret(back);
    expect(text).not.toMatch(/^etag:/im);
  });

  it('nor does another declared host, which gets no secret, when it knows it', async () => {
    const port = await secretHost((_, response) => response.end('ok'));
    let headers: IncomingHttpHeaders = {};
    const other = await attacker.upstreams.start((request, response) => {
      headers = request.headers;
      response.writeHead(200, `Key ${SECRET}`, { 'x-seen': SECRET, etag: '"x"' });
      response.end(`<${SECRET}>`);
    });
    const coded = await attacker.upstreams.start((_, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(`<${SECRET}> <${Buffer.from(SECRET).toString('hex')}>`));
    });
    const end = await attacker.attempt(
      `texts = [re.sub("\\r\\n[0-9a-f]+\\r\\n", "", text) for text in [get(${other}, headers="Accept-Encoding: gzip\\r\\nRange: bytes=1-\\r\\n")["text"], get(${coded})["text"]]]
print(json.dumps([texts, [text[::-1] for text in texts]]))`,
      withSecret(port, { hosts: [port, other, coded].map((one) => `localhost:${one}`) }),
    );
    const [texts, reversed] = end.output as [string[], string[]];
    expect(texts[0]).toMatch(/200 Key \*\*\*[^]*x-seen: \*\*\*/);
    expect(texts[1]).toContain('<***> <***>');
    for (const text of [...texts, ...reversed.map((one) => [...one].reverse().join(''))]) {
      expectNoSecret(text);
      expect(text).not.toMatch(/^(etag|content-length):/im);
    }
    expect(headers).toMatchObject({ 'accept-encoding': 'identity' });
    expect(headers).not.toHaveProperty('range');
    expect(headers).not.toHaveProperty('x-key');
  });

  it('nor either half of Basic credentials', async () => {
    const port = await attacker.upstreams.start((request, response) => {
      const encoded = (request.headers.authorization ?? '').replace('Basic ', '');
      const decoded = Buffer.from(encoded, 'base64').toString();
      response.end(JSON.stringify([encoded, decoded, ...decoded.split(':')]));
    });
    await attacker.secret('BASIC', Buffer.from('sk_live_basic_1:pass-word-2').toString('base64'), [
      `localhost:${port}`,
    ]);
    const end = await attacker.attempt(
      `text = re.sub("\\r\\n[0-9a-f]+\\r\\n", "", get(${port})["text"].partition("\\r\\n\\r\\n")[2].partition("\\r\\n")[2]).strip()
print(json.dumps([text, text[::-1]]))`,
      {
        hosts: [`localhost:${port}`],
        secrets: { BASIC: { header: 'authorization', value: 'Basic {secret}', host: `localhost:${port}` } },
      },
    );
    expect(end.output[0]).toBe('["***","***","***","***"]');
    expect(end.output[1]).toBe(']"***","***","***","***"[');
  });

  it('in a coding that cannot be searched: 502', async () => {
    const port = await secretHost((request, response) => {
      response.setHeader('content-encoding', 'zstd');
      response.end(request.headers['x-key']);
    });
    const end = await attacker.attempt(`print(json.dumps(get(${port})))`, withSecret(port));
    expect(end.output.status).toBe(502);
    expect(await attacker.log(end.id)).toContain('cannot be searched for secrets (zstd)');
  });

  it('and is asked for bytes that can be searched', async () => {
    let headers: IncomingHttpHeaders = {};
    const port = await secretHost((request, response) => {
      headers = request.headers;
      response.end('ok');
    });
    await attacker.findings(
      `print(get(${port}, headers="Accept-Encoding: gzip\\r\\nRange: bytes=1-2\\r\\n")["status"])`,
      withSecret(port),
    );
    expect(headers['accept-encoding']).toBe('identity');
    expect(headers).not.toHaveProperty('range');
  });
});
