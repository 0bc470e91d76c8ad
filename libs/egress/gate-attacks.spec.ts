import { describe, expect, it } from 'vitest';
import { AttackedGate, SECRET, status } from './test/attacked-gate.js';

describe('attacks on the gate', () => {
  const scene = AttackedGate.forEach();

  it('is up, and injects the secret', async () => {
    expect(
      status(await scene.inside.raw('api.test', `GET / HTTP/1.1\r\nHost: ${scene.host()}\r\n\r\n`)),
    ).toBe('200');
    expect(scene.reached).toContain(`X-Api-Key: ${SECRET}\r\n`);
  });

  it.each<[string, string, (host: string) => string]>([
    ['SNI other than Host', '421', () => 'GET / HTTP/1.1\r\nHost: second.test\r\n\r\n'],
    ['Host without the port', '421', () => 'GET / HTTP/1.1\r\nHost: api.test\r\n\r\n'],
    ['Host with another port', '421', () => 'GET / HTTP/1.1\r\nHost: api.test:1\r\n\r\n'],
    ['Host with a user', '421', (name) => `GET / HTTP/1.1\r\nHost: x@${name}\r\n\r\n`],
    ['no Host', '400', () => 'GET / HTTP/1.1\r\n\r\n'],
    ['an empty Host', '421', () => 'GET / HTTP/1.1\r\nHost:\r\n\r\n'],
    ['two Hosts', '400', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nHost: second.test\r\n\r\n`],
    ['two equal Hosts', '400', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nhost: ${name}\r\n\r\n`],
    ['absolute form', '400', (name) => `GET https://second.test/ HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    [
      'absolute form of the same host',
      '400',
      (name) => `GET https://${name}/ HTTP/1.1\r\nHost: ${name}\r\n\r\n`,
    ],
    ['asterisk form', '400', (name) => `OPTIONS * HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    ['CONNECT', '405', (name) => `CONNECT second.test:443 HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    ['CONNECT of the host itself', '405', (name) => `CONNECT ${name} HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    ['TRACE', '405', (name) => `TRACE / HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    ['TRACK', '405', (name) => `TRACK / HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    [
      'TE and CL',
      '400',
      (name) =>
        `POST / HTTP/1.1\r\nHost: ${name}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'CL and TE',
      '400',
      (name) =>
        `POST / HTTP/1.1\r\nHost: ${name}\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
    ],
    [
      'two CL',
      '400',
      (name) => `POST / HTTP/1.1\r\nHost: ${name}\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    ],
    ['CL list', '400', (name) => `POST / HTTP/1.1\r\nHost: ${name}\r\nContent-Length: 5, 5\r\n\r\nhello`],
    [
      'CL with a sign',
      '400',
      (name) => `POST / HTTP/1.1\r\nHost: ${name}\r\nContent-Length: +5\r\n\r\nhello`,
    ],
    [
      'TE xchunked',
      '400',
      (name) => `POST / HTTP/1.1\r\nHost: ${name}\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'TE gzip, chunked',
      '400',
      (name) => `POST / HTTP/1.1\r\nHost: ${name}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'TE chunked, identity',
      '400',
      (name) => `POST / HTTP/1.1\r\nHost: ${name}\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    ],
    [
      'two TE',
      '400',
      (name) =>
        `POST / HTTP/1.1\r\nHost: ${name}\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'TE with a blank before the colon',
      '400',
      (name) => `POST / HTTP/1.1\r\nHost: ${name}\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'TE in HTTP/1.0',
      '400',
      (name) => `POST / HTTP/1.0\r\nHost: ${name}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a folded header', '400', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nX: a\r\n b\r\n\r\n`],
    ['a folded Host', '400', (name) => `GET / HTTP/1.1\r\nHost:\r\n ${name}\r\n\r\n`],
    ['line feeds alone', '400', (name) => `GET / HTTP/1.1\nHost: ${name}\n\n`],
    ['a line feed in a header', '400', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nX: a\nY: b\r\n\r\n`],
    [
      'a carriage return in a header',
      '400',
      (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nX: a\rY: b\r\n\r\n`,
    ],
    ['NUL in a header', '400', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nX: a\0b\r\n\r\n`],
    ['NUL in the target', '400', (name) => `GET /\0 HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    ['bytes beyond ASCII in the target', '400', (name) => `GET /\xff HTTP/1.1\r\nHost: ${name}\r\n\r\n`],
    ['a header without a name', '400', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\n: x\r\n\r\n`],
    ['HTTP/2.0 by name', '400', (name) => `GET / HTTP/2.0\r\nHost: ${name}\r\n\r\n`],
    ['HTTP/2 by preface', '400', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a made-up expectation', '400', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nExpect: miracles\r\n\r\n`],
    [
      'a change to HTTP/2',
      '400',
      (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    ],
    [
      'a websocket by POST',
      '400',
      (name) =>
        `POST / HTTP/1.1\r\nHost: ${name}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 4\r\n\r\nbody`,
    ],
    ['huge headers', '431', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['too many headers', '431', (name) => `GET / HTTP/1.1\r\nHost: ${name}\r\n${'a:b\r\n'.repeat(5000)}\r\n`],
    ['garbage', '405', () => '\x16\x03\x01garbage\r\n\r\n'],
  ])('refuses %s', async (_name, expected, bytes) => {
    const text = await scene.inside.raw('api.test', bytes(scene.host()));
    expect(status(text)).toBe(expected);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      error: { code: expect.any(String) as string },
    });
    expect(scene.reached).toBe('');
    expect(scene.inside.lines).toHaveLength(1);
    expect(scene.inside.usedSecrets).toEqual([]);
  });

  it('keeps bytes after a refused request from becoming one', async () => {
    const smuggled = `GET /smuggled HTTP/1.1\r\nHost: ${scene.host()}\r\n\r\n`;
    await scene.inside.raw(
      'api.test',
      `POST / HTTP/1.1\r\nHost: ${scene.host()}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    );
    await scene.inside.raw(
      'api.test',
      `POST / HTTP/1.1\r\nHost: ${scene.host()}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\n\r\n${smuggled}`,
    );
    expect(scene.reached).not.toContain('smuggled');
  });

  it('never ends a request upstream that broke off inside its body', async () => {
    await scene.inside.raw(
      'api.test',
      `POST / HTTP/1.1\r\nHost: ${scene.host()}\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloXX0\r\n\r\n`,
    );
    expect(scene.reached).not.toMatch(/\r\n0\r\n\r\n$/);
    await scene.inside.raw(
      'api.test',
      `POST / HTTP/1.1\r\nHost: ${scene.host()}\r\nContent-Length: 50\r\n\r\nshort`,
    );
    expect(scene.reached).not.toContain('GET');
  });

  it('frames bodies anew whatever Connection names', async () => {
    await scene.inside.raw(
      'api.test',
      `POST / HTTP/1.1\r\nHost: ${scene.host()}\r\nConnection: content-length, transfer-encoding, host, x-api-key\r\nContent-Length: 5\r\n\r\nhello`,
    );
    expect(scene.reached).toContain('Content-Length: 5\r\n');
    expect(scene.reached).toContain(`Host: ${scene.host()}\r\n`);
    expect(scene.reached.match(/x-api-key/gi)).toHaveLength(1);
    expect(scene.reached).toContain(SECRET);
  });

  it.each(['x-api-key', 'X_API_KEY', 'X-API_KEY'])('drops the script’s own %s', async (name) => {
    await scene.inside.raw(
      'api.test',
      `GET / HTTP/1.1\r\n${name}: mine\r\nHost: ${scene.host()}\r\n${name}: mine\r\n\r\n`,
    );
    expect(scene.reached).not.toContain('mine');
    expect(scene.reached).toContain(SECRET);
  });

  it('keeps the secret from the second declared host', async () => {
    await scene.inside.raw('second.test', `GET / HTTP/1.1\r\nHost: second.test:${scene.origin.port}\r\n\r\n`);
    expect(scene.reached).toContain('GET / HTTP/1.1');
    expect(scene.reached).not.toContain(SECRET);
  });
});
