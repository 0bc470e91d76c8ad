import { describe, expect, it } from 'vitest';

import { ResponseReader, MalformedResponse } from './response-reader.js';

const LIMITS = { kept: 16, most: 64 };

/** Reads a response in pieces of so many bytes; `ended`: the connection ends after it. */
function read(response: string, { by = Infinity, ended = false } = {}): ResponseReader {
  const reader = new ResponseReader(LIMITS);
  const bytes = Buffer.from(response, 'latin1');
  const size = Math.min(by, bytes.length);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  if (ended) reader.end();
  return reader;
}
const bodyOf = ({ kept }: ResponseReader): string => Buffer.concat(kept).toString('latin1');

const RESPONSES: Record<string, [response: string, status: number, body: string, reusable: boolean]> = {
  'with a length': ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', 200, 'hello', true],
  'without a reason': ['HTTP/1.1 202\r\ncontent-length: 0\r\n\r\n', 202, '', true],
  'without a body': ['HTTP/1.1 204 No Content\r\n\r\n', 204, '', true],
  'not modified, with a length': ['HTTP/1.1 304 Not\r\nContent-Length: 5\r\n\r\n', 304, '', true],
  'in chunks': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n2;x="y"\r\nde\r\n0\r\nTrailer: x\r\n\r\n',
    200,
    'abcde',
    true,
  ],
  'after interim ones': [
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno',
    500,
    'no',
    true,
  ],
  'that closes': ['HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 2\r\n\r\nok', 200, 'ok', false],
  'of HTTP/1.0': ['HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok', 200, 'ok', false],
  'of HTTP/1.0, kept alive': [
    'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok',
    200,
    'ok',
    true,
  ],
  'with the same length twice': [
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok',
    200,
    'ok',
    true,
  ],
  'with length and chunks': [
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    200,
    'ok',
    false,
  ],
  'with something after it': [
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\n',
    200,
    'ok',
    false,
  ],
};

describe('ResponseReader', () => {
  for (const [name, [response, status, body, reusable]] of Object.entries(RESPONSES)) {
    it.each([Infinity, 7, 1])(`reads a response ${name}, in pieces of %s`, (by) => {
      const reader = read(response, { by });
      expect([reader.isComplete, reader.status, bodyOf(reader), reader.isReusable]).toEqual([
        true,
        status,
        body,
        reusable,
      ]);
    });
  }

  it('reads to the end of the connection where nothing says the length', () => {
    expect(read('HTTP/1.1 200 OK\r\n\r\nabc').isComplete).toBe(false);
    const reader = read('HTTP/1.1 200 OK\r\n\r\nabc', { ended: true });
    expect([reader.isComplete, bodyOf(reader), reader.isReusable]).toEqual([true, 'abc', false]);
  });

  it.each([
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
    'HTTP/1.1 200 OK\r\n',
    '',
  ])('is not complete where the connection ends too early: %j', (response) => {
    expect(read(response, { ended: true }).isComplete).toBe(false);
  });

  it('keeps the beginning and reads only so far', () => {
    const within = read(`HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n${'a'.repeat(60)}`, { by: 9 });
    expect([bodyOf(within), within.isReusable]).toEqual(['a'.repeat(16), true]);
    const cut = read(`HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n${'a'.repeat(65)}`);
    expect([cut.isComplete, bodyOf(cut), cut.isReusable]).toEqual([true, 'a'.repeat(16), false]);
    const chunked = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n${'a'.repeat(100)}`;
    expect(read(chunked).isComplete).toBe(true);
    expect(read(`HTTP/1.1 200 OK\r\n\r\n${'a'.repeat(65)}`).isComplete).toBe(true);
  });

  it('has no patience for a response that only goes on', () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000);
    expect(() => read(interim, { by: 100 })).toThrow(new MalformedResponse('its headers are too long'));
    const trailers = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'A: b\r\n'.repeat(4_000)}`;
    const reader = read(trailers, { by: 100 });
    expect([reader.isComplete, reader.isReusable]).toEqual([true, false]);
  });

  it('knows headers by lower-case names', () => {
    const { headers } = read('HTTP/1.1 503 X\r\nRetry-After:  120 \r\nX-A: 1\r\nX-a: 2\r\n\r\n');
    expect([headers.get('retry-after'), headers.get('x-a')]).toEqual(['120', '1']);
  });

  it.each([
    ['SSH-2.0-OpenSSH_9.0\r\n', 'it is not HTTP'],
    ['HTTP/2 200\r\n\r\n', 'it is not HTTP'],
    ['HTTP/1.1 20 OK\r\n\r\n', 'it is not HTTP'],
    ['HTTP/1.1 200 OK\r\nno colon\r\n\r\n', 'a header is malformed'],
    ['HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n', 'a header is malformed'],
    ['HTTP/1.1 200 OK\r\nA : b\r\n\r\n', 'a header is malformed'],
    ['HTTP/1.1 200 OK\r\nA: b\nC: d\r\n\r\n', 'a header is malformed'],
    ['HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', 'its length is malformed'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\n', 'its length is malformed'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 'its length is malformed'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n', 'its transfer encoding is unknown'],
    [
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n',
      'it names its transfer encoding twice',
    ],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n', 'a chunk has no size'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n', 'a chunk is longer than it says'],
    ['HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n', 'it switches to another protocol'],
  ])('refuses %j', (response, reason) => {
    for (const by of [Infinity, 5]) {
      expect(() => read(response, { by })).toThrow(new MalformedResponse(reason));
    }
  });

  it('refuses headers and lines that are too long', () => {
    const head = `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(20_000)}`;
    const line = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(2_000)}`;
    for (const by of [Infinity, 500]) {
      expect(() => read(head, { by })).toThrow(new MalformedResponse('its headers are too long'));
      expect(() => read(line, { by })).toThrow(
        new MalformedResponse('a line between its chunks is too long'),
      );
    }
  });
});
