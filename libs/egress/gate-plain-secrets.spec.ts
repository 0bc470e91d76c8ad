import http, { type IncomingHttpHeaders } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GateOptions, GateSecret } from './gate-options.js';
import { HostSet } from './host-set.js';
import { Inside, Outside, read, readAll, type Received } from './test/gate-fixture.js';
import { type Origin, ORIGIN_ADDRESS, startPlainOrigin } from './test/origin.js';

const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
const PLACE = '127.1.0.1';

describe('a secret for a host that is reached by plain HTTP', () => {
  let outside: Outside;
  let origin: Origin;
  let arrived: IncomingHttpHeaders[] = [];
  let inside: Inside;
  let port: number;
  let name: string;
  let count = 0;
  beforeAll(async () => {
    outside = await Outside.open();
    origin = await outside.keep(
      startPlainOrigin((req, res) => {
        arrived.push(req.headers);
        if (req.url === '/last') res.setHeader('connection', 'close');
        res.end(`your key is ${String(req.headers['x-api-key'])}`);
      }),
    );
  });
  beforeEach(() => {
    arrived = [];
    name = `inner${++count}.test`;
    outside.dns.records.set(name, [ORIGIN_ADDRESS]);
  });
  afterEach(() => inside.close());
  afterAll(() => outside.close());

  const key = (fields: Partial<GateSecret> = {}): GateSecret => ({
    name: 'KEY',
    hosts: new HostSet([`${name}:${origin.port}`]),
    header: 'x-api-key',
    value: SECRET,
    ...fields,
  });

  async function open(plainSecrets: string[], options: Partial<GateOptions> = {}): Promise<void> {
    const host = `${name}:${origin.port}`;
    const service = { host, address: PLACE, protocol: 'http' as const, secret: null };
    inside = await Inside.open(outside, origin.port, {
      secrets: [key()],
      services: [service],
      dialer: outside.dialer({ plainSecrets }),
      ...options,
    });
    const listener = net.createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    inside.gate.serve(listener, { address: PLACE, port: origin.port });
    ({ port } = listener.address() as AddressInfo);
  }

  const call = (path = '/'): Promise<Received> =>
    new Promise((resolve, reject) => {
      const headers = { host: `${name}:${origin.port}` };
      http
        .get({ host: '127.0.0.1', port, path, headers }, (res) => void read(res).then(resolve, reject))
        .on('error', reject);
    });

  async function expectRefused(): Promise<void> {
    const connections = origin.connections();
    const { status, headers, text } = await call();
    expect([status, headers['x-gate-error']]).toEqual([403, 'address_refused']);
    expect(text).toContain('in the clear');
    expect(text).not.toContain(SECRET);
    expect([arrived, origin.connections() - connections]).toEqual([[], 0]);
    expect(inside.usedSecrets).toEqual([]);
    expect(inside.lines).toEqual([expect.stringContaining('in the clear')]);
    expect(inside.gate.usage()).toMatchObject([{ requests: 0, denied: 1 }]);
  }

  it('is attached where the operator lets it, and hidden in what comes back', async () => {
    await open([`${ORIGIN_ADDRESS}/32`]);
    const { status, text } = await call();
    expect([status, text]).toEqual([200, 'your key is ***']);
    expect(arrived).toMatchObject([{ 'x-api-key': SECRET }]);
    expect(inside.usedSecrets).toEqual(['KEY']);
  });

  it.each<[string, string[]]>([
    ['nothing', []],
    ['another range', ['10.0.0.0/8', '127.0.0.3/32']],
    ['its address in another family', ['::ffff:127.0.0.0/104']],
  ])('does not leave where the operator named %s', async (_, plainSecrets) => {
    await open(plainSecrets);
    await expectRefused();
  });

  it.each([
    ['one of its addresses is elsewhere', `${ORIGIN_ADDRESS}/32`, [ORIGIN_ADDRESS, '127.0.0.9']],
    ['one of its addresses is public', `${ORIGIN_ADDRESS}/32`, [ORIGIN_ADDRESS, '203.0.113.7']],
    [
      'one of its addresses has one of them inside',
      `${ORIGIN_ADDRESS}/32`,
      ['::ffff:7f00:2', ORIGIN_ADDRESS],
    ],
    ['the address inside of its own is elsewhere', '64:ff9b::/96', ['64:ff9b::7f00:2']],
  ])('does not leave where %s', async (_, range, addresses) => {
    outside.dns.records.set(name, addresses);
    await open([range]);
    await expectRefused();
  });

  it('is judged by the addresses of each connection, whatever the name meant before', async () => {
    outside.dns.records.set(name, [[ORIGIN_ADDRESS], ['127.0.0.9']]);
    await open([`${ORIGIN_ADDRESS}/32`]);
    expect((await call('/last')).status).toBe(200);
    expect((await call()).headers['x-gate-error']).toBe('address_refused');
    expect(arrived).toHaveLength(1);
  });

  it('does not go over a connection that was made for requests without it', async () => {
    await open([], { secrets: [key({ scope: { methods: ['GET'], folders: [{ path: '/in/' }] } })] });
    expect((await call('/out')).status).toBe(200);
    expect((await call('/in/')).headers['x-gate-error']).toBe('address_refused');
    expect((await call('/out')).text).toBe('your key is undefined');
    expect(arrived).toHaveLength(2);
  });

  it('is not attached unasked where it opens nothing', async () => {
    await open([], { secrets: [key({ harmlessBelow: '/' })] });
    expect((await call()).status).toBe(200);
    expect(arrived[0]).not.toHaveProperty('x-api-key');
  });

  it('does not go along with a websocket either', async () => {
    await open([]);
    const socket = net.connect(port, '127.0.0.1');
    socket.write(
      `GET / HTTP/1.1\r\nHost: ${name}:${origin.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    expect(await readAll(socket, 10_000, 100)).toMatch(/^HTTP\/1\.1 403 [^]*x-gate-error: address_refused/);
    expect(arrived).toEqual([]);
  });
});
