import { beforeAll, expect, it } from 'vitest';

import type { TestScript } from '../support/scripts.js';
import { aGatedAttacker } from './support/gated.js';

const attacker = aGatedAttacker();
let port: number;
let script: TestScript;

beforeAll(async () => {
  port = await attacker.upstreams.start((_, response) => {
    // Late enough for the second request to arrive before.
    setTimeout(() => response.end('answered'), 200);
  });
  script = await attacker.script(
    `
i = inputs()
with connect(i["port"]) as s:
    s.sendall(i["bytes"].encode("latin1"))
    got = b""
    try:
        while part := s.recv(65536): got += part
    except OSError: pass
print(json.dumps(got.decode("latin1")))`,
    { hosts: [`localhost:${port}`] },
  );
});

const host = (): string => `Host: localhost:${port}\r\n`;
const get = (): string => `GET / HTTP/1.1\r\n${host()}\r\n`;
const upgrade = (more: string): string => `GET / HTTP/1.1\r\n${host()}Connection: Upgrade\r\n${more}\r\n`;

it.each<[string, () => string, number]>([
  ['an upgrade to something else', () => upgrade('Upgrade: h2c\r\n'), 400],
  ['an upgrade with a body', () => upgrade('Upgrade: websocket\r\nContent-Length: 3\r\n') + 'abc', 400],
  ['a tunnel', () => `CONNECT evil.example:443 HTTP/1.1\r\n${host()}\r\n`, 405],
])('a request and %s in one write are answered in turn', async (_, second, status) => {
  const end = await attacker.run(script, { port, bytes: get() + second() });
  expect(end).toMatchObject({ status: 'succeeded' });
  const statuses = [...(end.output as string).matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code));
  expect(statuses).toEqual([200, status]);
  expect(end.output).toContain('answered');
});

it('a host whose status line holds a control character is told of, and nothing else happens', async () => {
  const bad = await attacker.upstreams.startTls((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 O\x01K\r\nContent-Length: 0\r\n\r\n')),
  );
  const end = await attacker.attempt(`print(json.dumps(get(${bad})["status"]))`, {
    hosts: [`localhost:${bad}`],
  });
  expect(end).toMatchObject({ status: 'succeeded', output: 502 });
});
