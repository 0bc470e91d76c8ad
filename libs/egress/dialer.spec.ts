import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CertificateAuthority } from './certificate-authority.js';
import { Dialer } from './dialer.js';
import { ConnectFailed, DnsFailed, EgressRefused, TlsFailed } from './errors.js';
import { parseHostsFile } from './hosts-file.js';
import { Outside } from './test/gate-fixture.js';
import { credentialsFor, type Origin, startOrigin, startTcp } from './test/origin.js';
import { startUnresponsive } from './test/unresponsive.js';

describe('Dialer', () => {
  let outside: Outside;
  let origin: Origin;
  beforeAll(async () => {
    outside = await Outside.open();
    origin = await outside.keep(startOrigin(outside.credentials('api.test'), (_req, res) => res.end('ok')));
  });
  afterAll(() => outside.close());

  it('resolves once, dials the address, and checks the certificate for the name', async () => {
    outside.dns.asked.length = 0;
    const socket = await outside.usualDialer.connectTls({ host: 'API.test', port: origin.port });
    expect(socket.authorized).toBe(true);
    expect(socket.alpnProtocol).toBe('http/1.1');
    expect(socket.remoteAddress).toBe(origin.address);
    expect(outside.dns.asked.sort()).toEqual(['api.test A', 'api.test AAAA']);
    socket.destroy();
  });

  it('is not rebound: what was judged is what is dialled', async () => {
    outside.dns.records.set('rebind.test', [['127.0.0.2'], ['10.0.0.1']]);
    const dialer = outside.dialer({ allow: ['127.0.0.2/32'] });
    const socket = await dialer.connect({ host: 'rebind.test', port: origin.port });
    expect(socket.remoteAddress).toBe('127.0.0.2');
    socket.destroy();
    await expect(dialer.connect({ host: 'rebind.test', port: origin.port })).rejects.toBeInstanceOf(
      EgressRefused,
    );
  });

  it.each<[string, string[]]>([
    ['loopback', ['127.0.0.1']],
    ['IPv6 loopback', ['::1']],
    ['private', ['10.0.0.1', '192.168.0.1']],
    ['metadata', ['169.254.169.254']],
    ['IPv4-mapped', ['::ffff:127.0.0.1']],
    ['NAT64', ['64:ff9b::7f00:1']],
    ['6to4', ['2002:7f00:1::1']],
  ])('refuses names that lead to a %s address', async (_kind, addresses) => {
    outside.dns.records.set('inner.test', addresses);
    const refused = outside.dialer({ allow: [] }).connect({ host: 'inner.test', port: 443 });
    await expect(refused).rejects.toMatchObject({
      code: 'EGRESS_REFUSED',
      host: 'inner.test',
      reason: expect.stringContaining('not public') as string,
    });
    await expect(refused).rejects.not.toThrow(addresses[0]);
  });

  it.each([
    '127.0.0.1',
    '[::1]',
    '::1',
    '10.1.1.1',
    '0x7f.1',
    '2130706433',
    '127.1',
    'a.0x7f000001',
    '127.0.0.1.',
  ])('refuses %s', async (host) => {
    await expect(new Dialer().connect({ host, port: 80 })).rejects.toBeInstanceOf(EgressRefused);
  });

  it.each(['', ' ', 'a b', 'a\0.com', 'a..b', 'ü.com', `${'a'.repeat(300)}`, '-', '/etc/passwd'])(
    'takes no %j for a name',
    async (host) => {
      await expect(
        new Dialer({ lookup: () => Promise.reject(new Error('asked')) }).connect({ host, port: 80 }),
      ).rejects.toMatchObject({
        code: 'DNS_FAILED',
        reason: 'it is not a host name',
      });
    },
  );

  it('knows the names of the hosts file, and localhost', async () => {
    expect(
      parseHostsFile('127.0.0.1 localhost Box # a comment\n\nbad line\n::1 localhost\n#1.2.3.4 gone'),
    ).toEqual(
      new Map([
        ['localhost', ['127.0.0.1', '::1']],
        ['box', ['127.0.0.1']],
      ]),
    );
    await expect(outside.dialer({ allow: [] }).addresses('localhost')).rejects.toBeInstanceOf(EgressRefused);
    expect(await outside.dialer({ allow: ['127.0.0.1', '::1'] }).addresses('LOCALHOST.')).toContain(
      '127.0.0.1',
    );
  });

  it('dials only the addresses that may be dialled, until one takes the connection', async () => {
    outside.dns.records.set('many.test', ['10.0.0.1', '127.0.0.8', '127.0.0.2', '::1']);
    expect(await outside.usualDialer.addresses('many.test')).toEqual(['127.0.0.8', '127.0.0.2']);
    const socket = await outside.usualDialer.connect({ host: 'many.test', port: origin.port });
    expect(socket.remoteAddress).toBe('127.0.0.2');
    socket.destroy();
  });

  it('does not wait long for an address that does not respond', async () => {
    const unresponsive = await startUnresponsive('127.0.0.9', origin.port);
    onTestFinished(() => unresponsive.close());
    const patient = outside.dialer({ timeoutMs: 10_000 });
    outside.dns.records.set('slow.test', ['127.0.0.9', '127.0.0.2']);
    const start = performance.now();
    const socket = await patient.connect({ host: 'slow.test', port: origin.port });
    expect(socket.remoteAddress).toBe('127.0.0.2');
    expect(performance.now() - start).toBeGreaterThan(1000);
    socket.destroy();
    outside.dns.records.set('slow.test', ['127.0.0.9']);
    await expect(
      outside.dialer({ timeoutMs: 500 }).connect({ host: 'slow.test', port: origin.port }),
    ).rejects.toMatchObject({ code: 'CONNECT_FAILED', reason: 'no connection in time', timedOut: true });
  });

  it('says why it failed, with a type for each stage', async () => {
    const closed = await startTcp(() => undefined);
    await closed.close();
    const dialer = outside.dialer({ timeoutMs: 1500 });
    await expect(dialer.connectTls({ host: 'api.test', port: closed.port })).rejects.toBeInstanceOf(
      ConnectFailed,
    );
    await expect(dialer.connectTls({ host: 'none.test', port: 443 })).rejects.toMatchObject({
      code: 'DNS_FAILED',
      reason: 'there is no such name',
      timedOut: false,
    });
    const silent = await outside.keep(startTcp(() => undefined));
    await expect(dialer.connectTls({ host: 'api.test', port: silent.port })).rejects.toMatchObject({
      code: 'TLS_FAILED',
      timedOut: true,
    });
    const hangup = await outside.keep(startTcp((socket) => socket.destroy()));
    await expect(dialer.connectTls({ host: 'api.test', port: hangup.port })).rejects.toBeInstanceOf(
      TlsFailed,
    );
    const never = new Dialer({ lookup: () => new Promise(() => undefined), timeoutMs: 50 });
    await expect(never.connect({ host: 'api.test', port: 1 })).rejects.toMatchObject({
      code: 'DNS_FAILED',
      timedOut: true,
    });
    const empty = new Dialer({ lookup: () => Promise.resolve([]) });
    await expect(empty.connect({ host: 'api.test', port: 1 })).rejects.toBeInstanceOf(DnsFailed);
    const liar = new Dialer({ lookup: () => Promise.resolve(['not an address']) });
    await expect(liar.connect({ host: 'api.test', port: 1 })).rejects.toBeInstanceOf(EgressRefused);
  });

  it('trusts no other authority, whatever the environment says', async () => {
    const stranger = await outside.keep(
      startOrigin(credentialsFor(new CertificateAuthority(), { hosts: ['api.test'] }), (_req, res) =>
        res.end(),
      ),
    );
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      await expect(
        outside.usualDialer.connectTls({ host: 'api.test', port: stranger.port }),
      ).rejects.toBeInstanceOf(TlsFailed);
      await expect(
        outside.dialer({ ca: [] }).connectTls({ host: 'api.test', port: origin.port }),
      ).rejects.toMatchObject({
        code: 'TLS_FAILED',
        reason: expect.stringContaining('authority is not trusted') as string,
      });
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  it('checks addresses in certificates as well', async () => {
    const byAddress = await outside.keep(
      startOrigin(credentialsFor(outside.authority, { hosts: ['127.0.0.2'] }), (_req, res) => res.end()),
    );
    (await outside.usualDialer.connectTls({ host: '127.0.0.2', port: byAddress.port })).destroy();
    await expect(
      outside.usualDialer.connectTls({ host: '127.0.0.2', port: origin.port }),
    ).rejects.toBeInstanceOf(TlsFailed);
  });

  it('gives up when it is told to', async () => {
    const silent = await outside.keep(startTcp(() => undefined));
    const stop = new AbortController();
    const dialled = outside.usualDialer.connectTls({
      host: 'api.test',
      port: silent.port,
      signal: stop.signal,
    });
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(dialled).rejects.toThrow('enough');
    await expect(
      outside.usualDialer.connect({ host: 'api.test', port: 1, signal: stop.signal }),
    ).rejects.toThrow('enough');
  });
});
