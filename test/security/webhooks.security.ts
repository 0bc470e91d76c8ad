import { createSecretKey } from 'node:crypto';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { Dialer } from '../../libs/egress/index.js';
import { type DnsServer, startDns } from '../../libs/egress/test/dns-server.js';
import type { Client, TestWorkspace } from '../../libs/testing/index.js';
import type { Database } from '../../src/core/database/database.js';
import type { EventTypes } from '../../src/core/outbox/index.js';
import { Tracing } from '../../src/core/tracing/tracing.js';
import { EndpointValidator } from '../../src/webhooks/endpoint-validator.js';
import { DeliverySender } from '../../src/webhooks/sending/delivery-sender.js';
import { client, database, newWorkspace } from '../support/gatehouse.js';
import { Upstreams } from '../support/upstream.js';
import { ENDPOINTS, WebhookBench } from '../support/webhooks.js';

const PUBLIC = 'https://93.184.216.34/hook';

const OWN = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .filter(({ internal, family }) => !internal && family === 'IPv4')
  .map(({ address }) => address);

/** Hosts that stand for what is not public, in every way of writing them that a URL has. */
const PRIVATE_HOSTS: Record<string, string[]> = {
  loopback: ['127.0.0.1', '127.0.0.1:8443', '127.255.255.254', '[::1]', '[0:0:0:0:0:0:0:1]', '[::1]:8443'],
  'loopback in other notations': [
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '0x7F.0X0.0.1',
    '017700000001',
    '127.0.0.1.',
    '%31%32%37.0.0.1',
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '127\u00ad.0.0.1',
  ],
  'loopback by name': ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.localhost.', 'ⓛocalhost'],
  unspecified: ['0.0.0.0', '0', '0.1.2.3', '[::]', '[0::0]'],
  private: [
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '[fc00::1]',
    '[fd12:3456::1]',
    '0xa000001',
  ],
  'link-local': ['169.254.0.1', '[fe80::1]', '[febf::1]'],
  metadata: ['169.254.169.254', '[fd00:ec2::254]', '2852039166', '168.63.129.16', 'metadata.google.internal'],
  'shared by carriers': ['100.64.0.1', '100.127.255.255', '100.100.100.200'],
  multicast: ['224.0.0.1', '239.255.255.250', '[ff02::1]', '[ff0e::1]'],
  'broadcast and reserved': [
    '255.255.255.255',
    '240.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '203.0.113.1',
    '[2001:db8::1]',
  ],
  'IPv4-mapped': ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:10.0.0.1]', '[::ffff:169.254.169.254]'],
  'IPv4-compatible': ['[::127.0.0.1]', '[::10.0.0.1]'],
  NAT64: ['[64:ff9b::127.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::a00:1]'],
  '6to4': ['[2002:7f00:1::]', '[2002:a00:1::1]', '[2002:a9fe:a9fe::1]'],
  Teredo: ['[2001:0:7f00:1::]', '[2001:0:5db8:d822:0:0:80ff:fffe]'],
  'of this machine': OWN,
  'of a private network by name': ['intranet', 'printer.local', 'db.internal', 'nas.home.arpa'],
};

/** URLs that are refused as they stand. */
const REFUSED_URLS = [
  'http://93.184.216.34/',
  'http://127.0.0.1/',
  'ftp://93.184.216.34/',
  'file:///etc/passwd',
  'gopher://93.184.216.34/',
  'javascript:alert(1)',
  '//93.184.216.34/',
  'https:93.184.216.34',
  'https:///93.184.216.34/',
  'https://',
  'https://user@93.184.216.34/',
  'https://user:password@93.184.216.34/',
  'https://93.184.216.34@127.0.0.1/',
  'https://93.184.216.34\\@127.0.0.1/',
  'https://93.184.216.34#@127.0.0.1/',
  'https://93.184.216.34/ ',
  ' https://93.184.216.34/',
  'https://93.184.216.34/\r\nx: y',
  'https://93.184.216.34\t/',
  'https://93.184.216.34:0/',
  'https://93.184.216.34:65536/',
  'https://[fe80::1%25eth0]/',
  'https://[::1/',
  'https://1.2.3.4.5/',
  'https://256.1.1.1/',
];

let workspace: TestWorkspace;
let api: Client;

beforeAll(async () => {
  workspace = await newWorkspace();
  api = client({ token: workspace.owner.token, workspace: workspace.slug });
});

async function stored(): Promise<number> {
  const { rows } = await database().query(
    'SELECT count(*)::int AS n FROM webhook_endpoints WHERE workspace_id = $1',
    [workspace.id],
  );
  return rows[0].n;
}

describe('registering an endpoint', () => {
  it.each(Object.entries(PRIVATE_HOSTS))('refuses hosts that are %s', async (_, hosts) => {
    for (const host of hosts) {
      const answer = await api.post(ENDPOINTS, { url: `https://${host}/hook` });
      expect([host, answer.status]).toEqual([host, 400]);
      expect(answer.body.error.details[0].path).toBe('url');
    }
    expect(await stored()).toBe(0);
  });

  it('refuses what is no https URL of a host alone', async () => {
    for (const url of REFUSED_URLS) {
      const answer = await api.post(ENDPOINTS, { url });
      expect([url, answer.status]).toEqual([url, 400]);
      expect(answer.body.error.details[0].path).toBe('url');
    }
    expect(await stored()).toBe(0);
  });

  it('refuses them in a change and in a request for approval as well', async () => {
    const made = await api.post(ENDPOINTS, { url: PUBLIC });
    expect(made.status).toBe(201);
    const path = `${ENDPOINTS}/${made.body.endpoint.id}`;
    for (const host of Object.values(PRIVATE_HOSTS).flat()) {
      const url = `https://${host}/hook`;
      expect([host, (await api.patch(path, { url })).status]).toEqual([host, 400]);
      const asked = await api.post('/v1/workspace/approval-requests', {
        action: 'webhook_endpoint.create',
        input: { url },
        reason: 'because',
      });
      expect([host, asked.status, asked.body.error?.code]).toEqual([host, 400, 'invalid_request']);
    }
    expect((await api.get(path)).body.url).toBe(PUBLIC);
    await api.delete(path);
  });
});

describe('sending to an endpoint', () => {
  const servers: Server[] = [];
  let connections = 0;
  afterAll(() => servers.forEach((server) => server.close()));

  it('connects to nothing private, whatever the stored URL says', async () => {
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, done));
    const { port } = server.address() as AddressInfo;
    const { body } = await api.post(ENDPOINTS, { url: PUBLIC });
    const path = `${ENDPOINTS}/${body.endpoint.id}`;
    const hosts = [
      '127.0.0.1',
      '127.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
      '0.0.0.0',
      '[::]',
      ...OWN,
    ];
    for (const host of hosts) {
      await database().query(
        'UPDATE webhook_endpoints SET url = $2, enabled = true, consecutive_failures = 0 WHERE id = $1',
        [body.endpoint.id, `https://${host}:${port}/hook`],
      );
      const tested = await api.post(`${path}/test`);
      expect(tested.body).toMatchObject({ queued: false, ok: false, status: null });
      const attempts = await api.get(`${path}/deliveries/${tested.body.deliveryId}/attempts`);
      expect(attempts.body.items[0]).toMatchObject({
        error: expect.stringMatching(/not public|this machine's own/),
        response: null,
      });
      // Nothing of what the name stands for.
      expect(attempts.body.items[0].error).not.toMatch(/127\.|::1/);
    }
    expect(connections).toBe(0);
    await api.delete(path);
  });

  it('follows no redirect', async () => {
    const bench = await WebhookBench.start();
    let reached = 0;
    try {
      const inner = await bench.upstreams.start((_, response) => {
        reached += 1;
        response.end('secret');
      });
      const scene = await bench.scene();
      for (const location of [
        `https://localhost:${inner}/`,
        `https://127.0.0.1:${inner}/`,
        '//169.254.169.254/',
      ]) {
        scene.receiver.answer = (response) => response.writeHead(307, { location }).end();
        const tested = await scene.api.post(`${scene.endpoint.path}/test`);
        expect(tested.body).toMatchObject({ ok: false, status: 307 });
      }
      expect(reached).toBe(0);
      expect(scene.receiver.received).toHaveLength(3);
    } finally {
      await bench.close();
    }
  });
});

describe('a name that changes what it stands for', () => {
  const upstreams = new Upstreams();
  let dns: DnsServer;
  let senders: DeliverySender[] = [];

  beforeAll(async () => {
    dns = await startDns();
  });
  afterEach(() => {
    for (const sender of senders) sender.onApplicationShutdown();
    senders = [];
  });
  afterAll(async () => {
    await dns.close();
    await upstreams.close();
  });

  /** What registers and what sends, as the service puts them together, but with this name server. */
  function parts() {
    const dialer = new Dialer({
      dnsServers: [dns.address],
      allow: ['127.0.0.2'],
      ca: [upstreams.certificate],
      timeoutMs: 30_000,
    });
    const sender = new DeliverySender(dialer, Tracing.OFF);
    senders.push(sender);
    const targets = new EndpointValidator(dialer, { inTransaction: false } as Database, {} as EventTypes);
    return { targets, sender };
  }
  const message = { id: 'msg_1', body: '{}' };
  const from = { traceparent: null, eventId: 'evt_1', eventType: 'ping', endpointId: 'whe_1', number: 1 };
  const target = (host: string, port: number) => ({
    url: `https://${host}:${port}/`,
    keys: [createSecretKey('k', 'utf8')],
  });

  it('is judged anew at each connection', async () => {
    let hits = 0;
    const port = await upstreams.start(
      (_, response) => {
        hits += 1;
        response.setHeader('connection', 'close').end();
      },
      { names: ['hooks.test'] },
      '127.0.0.2',
    );
    const { targets, sender } = parts();
    dns.records.set('hooks.test', ['127.0.0.2']);
    await expect(targets.check({ url: `https://hooks.test:${port}/` })).resolves.toBeUndefined();
    expect(await sender.send(target('hooks.test', port), message, from)).toMatchObject({
      ok: true,
      status: 200,
    });
    dns.records.set('hooks.test', ['127.0.0.1']);
    expect(await sender.send(target('hooks.test', port), message, from)).toMatchObject({
      ok: false,
      status: null,
      error: expect.stringContaining('not public'),
    });
    await expect(targets.check({ url: `https://hooks.test:${port}/` })).rejects.toThrow(/not public/);
    expect(hits).toBe(1);
  });

  it('is looked up once for a connection, and that address is the one dialled', async () => {
    let inner = 0;
    const innerPort = await upstreams.startTcp((socket) => {
      inner += 1;
      socket.destroy();
    });
    const { sender } = parts();
    dns.records.set('flip.test', [['127.0.0.2'], ['127.0.0.1']]);
    for (let round = 0; round < 6; round++) await sender.send(target('flip.test', innerPort), message, from);
    expect(inner).toBe(0);
  });

  it.each([
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['100.64.0.1'],
    ['224.0.0.1'],
    ['0.0.0.0'],
    ['::1'],
    ['fd00::1'],
    ['fe80::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['2002:7f00:1::1'],
  ])('is refused where it stands for %s', async (address) => {
    const { targets, sender } = parts();
    dns.records.set('private.test', [address]);
    await expect(targets.check({ url: 'https://private.test/' })).rejects.toThrow(/^url: cannot be sent to/);
    expect(await sender.send(target('private.test', 443), message, from)).toMatchObject({
      ok: false,
      status: null,
      error: expect.stringContaining('not public'),
    });
  });
});
