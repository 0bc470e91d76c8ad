import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Json } from '../../libs/testing/index.js';
import { aGatedAttacker } from '../security/support/gated.js';
import { run, type TestScript } from '../support/scripts.js';

/** Its scripts ask for more than their versions declare. */
const author = aGatedAttacker();
let port: number;
let plainPort: number;
let socketPort: number;
let script: TestScript;
let arrived: string[] = [];

const note = ({ method, url }: IncomingMessage): void => void arrived.push(`${method} ${url}`);
const ruled = () => `localhost:${port}`;

beforeAll(async () => {
  port = await author.upstreams.start((request, response) => {
    note(request);
    request.resume().on('end', () => response.end('served'));
  });
  plainPort = await author.upstreams.start((request, response) => {
    note(request);
    response.end('served');
  });
  socketPort = await author.upstreams.startTls((socket) =>
    socket.once('data', (chunk: Buffer) => {
      const head = chunk.toString('latin1');
      arrived.push(head.slice(0, head.indexOf(' HTTP')));
      const key = /^sec-websocket-key: (\S+)/im.exec(head)?.[1] ?? '';
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
      // No more than the handshake is of interest.
      socket.end(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
    }),
  );
  script = await author.script(
    `
i = inputs()
print(json.dumps([outcome(ask, port, base64.b64decode(sent).decode("latin1"))["status"] for port, sent in i["requests"]]))`,
    {
      hosts: [
        { host: ruled(), methods: ['GET', 'POST'], paths: ['/v1/charges', '/v1/files/*'] },
        { host: ruled(), methods: ['DELETE'], paths: ['/v1/files/old'] },
        `localhost:${plainPort}`,
        { host: `localhost:${socketPort}`, methods: ['GET'], paths: ['/socket'] },
      ],
    },
  );
});

beforeEach(() => {
  arrived = [];
});

interface Said {
  statuses: Json;
  log: string;
  network: Json;
}

async function send(...requests: [port: number, line: string, headers?: string][]): Promise<Said> {
  const sent = requests.map(([to, line, headers = '']) => [
    to,
    Buffer.from(`${line} HTTP/1.1\r\nHost: localhost:${to}\r\n${headers}\r\n`).toString('base64'),
  ]);
  const end = await author.run(script, { requests: sent });
  expect(end).toMatchObject({ status: 'succeeded' });
  return { statuses: end.output, log: await author.log(end.id), network: end.network };
}

describe('a host with methods and paths', () => {
  it('gets what they name', async () => {
    const { statuses, log } = await send(
      [port, 'GET /v1/charges?limit=3'],
      [port, 'POST /v1/charges', 'Content-Length: 0\r\n'],
      [port, 'GET /v1/files/a%20b/c'],
      [port, 'DELETE /v1/files/old'],
    );
    expect([statuses, log]).toEqual([[200, 200, 200, 200], '']);
    expect(arrived).toEqual([
      'GET /v1/charges?limit=3',
      'POST /v1/charges',
      'GET /v1/files/a%20b/c',
      'DELETE /v1/files/old',
    ]);
  });

  it('gets no other method or path, and the log says which was refused', async () => {
    const { statuses, log, network } = await send(
      [port, 'PUT /v1/charges'],
      [port, 'DELETE /v1/charges'],
      [port, 'GET /v1/customers?key=4711'],
      [port, 'PATCH /v1/files/a'],
    );
    expect(statuses).toEqual([403, 403, 403, 403]);
    for (const asked of ['PUT …/v1/charges', 'GET …/v1/customers']) {
      const request = asked.replace('…', `https://localhost:${port}`);
      expect(log).toContain(`${request} is not among what this version declares`);
    }
    expect(log).not.toContain('4711');
    expect(network).toMatchObject([{ host: ruled(), requests: 0, denied: 4 }]);
    expect(arrived).toEqual([]);
  });

  it.each([
    [
      'encoded',
      ['/v1/%63harges', '/v1%2Fcharges', '/v1/files/%2e%2e/%2e%2e/admin', '/v1/files/%252e%252e/admin'],
    ],
    ['dotted', ['/v1/files/../../admin', '/v1/./charges', '/v1/files/..;/admin', '/v1/files/..%5cadmin']],
    ['doubled or cut short', ['//v1/files/x', '/v1//charges', '/v1/files/x#/../../admin', '/v1/files/x%00']],
  ])('gets no path that is %s', async (_, paths) => {
    const { statuses, log } = await send(...paths.map((path): [number, string] => [port, `GET ${path}`]));
    expect(statuses).toEqual(paths.map(() => 403));
    expect(log.match(/is not among what this version declares/g)).toHaveLength(paths.length);
    expect(arrived).toEqual([]);
  });

  it('gets no header or query that stands for another method or path', async () => {
    const { statuses, log } = await send(
      [port, 'GET /v1/charges', 'X-HTTP-Method-Override: DELETE\r\n'],
      [port, 'GET /v1/charges', 'X-Original-URL: /admin\r\n'],
      [port, 'GET /v1/charges', 'x_http_method: DELETE\r\n'],
      [port, 'POST /v1/charges?_method=DELETE', 'Content-Length: 0\r\n'],
    );
    expect(statuses).toEqual([403, 403, 403, 403]);
    expect(log).toContain('its header X-Original-URL may stand for another method or path');
    expect(arrived).toEqual([]);
  });

  it('leaves a host without them as it was', async () => {
    const { statuses, log } = await send(
      [plainPort, 'PUT /any/../thing', 'X-HTTP-Method-Override: DELETE\r\n'],
      [plainPort, 'DELETE /v1/%63harges'],
    );
    expect([statuses, log]).toEqual([[200, 200], '']);
    expect(arrived).toEqual(['PUT /any/../thing', 'DELETE /v1/%63harges']);
  });

  it('gets a websocket as a GET', async () => {
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
    const { statuses, log } = await send(
      [socketPort, 'GET /other', upgrade],
      [socketPort, 'GET /socket', upgrade],
    );
    expect(statuses).toEqual([403, 101]);
    expect(log).toContain(`GET https://localhost:${socketPort}/other is not among`);
    expect(log).not.toContain('/socket');
    expect(arrived).toEqual(['GET /socket']);
  });
});

describe('the rules of a version', () => {
  const rule = { host: 'api.example.com', methods: ['GET'], paths: ['/v1/*'] };

  it('are in its record, besides the hosts, and may be sent again as they are', async () => {
    const { body } = await author.api.get(`/v1/scripts/${script.slug}/versions/1`);
    expect(body.hosts).toEqual([ruled(), `localhost:${plainPort}`, `localhost:${socketPort}`]);
    expect(body.hostRules).toEqual([
      { host: ruled(), methods: ['GET', 'POST'], paths: ['/v1/charges', '/v1/files/*'] },
      { host: ruled(), methods: ['DELETE'], paths: ['/v1/files/old'] },
      { host: `localhost:${socketPort}`, methods: ['GET'], paths: ['/socket'] },
    ]);
    const again = await author.script('print()', { hosts: body.hostRules });
    const copy = await author.api.get(`/v1/scripts/${again.slug}/versions/1`);
    expect(copy.body.hostRules).toEqual(body.hostRules);
  });

  it('are told to the person who approves a run', async () => {
    const held = await author.script('print()', {
      hosts: ['plain.example.com', rule, { ...rule, methods: null, paths: ['/health'] }],
    });
    await author.api.patch(`/v1/scripts/${held.slug}`, { approvalPolicy: 'always' });
    const { status, body } = await run(author.api, held);
    expect(status).toBe(202);
    const request = await author.api.get(`/v1/workspace/approval-requests/${body.approval.id}`);
    expect(request.body.summary).toContain(
      'It may reach plain.example.com, api.example.com (only GET to /v1/*, or to /health).',
    );
    expect(request.body.input.hosts).toEqual(['plain.example.com', 'api.example.com']);
    expect(request.body.input.hostRules).toEqual([rule, { ...rule, methods: null, paths: ['/health'] }]);
  });
});
