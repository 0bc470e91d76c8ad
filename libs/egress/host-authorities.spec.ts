import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CertificateAuthority } from './certificate-authority.js';
import type { DialerOptions } from './dialer.js';
import { type HostAuthorities, HostTrust } from './host-authorities.js';
import { Outside } from './test/gate-fixture.js';
import { opensslCertificate } from './test/openssl-certificates.js';
import { credentialsFor, type Origin, startOrigin } from './test/origin.js';

describe('the authorities of hosts', () => {
  const trust = new HostTrust([
    { host: '*.example.com', certificates: 'wide' },
    { host: '*.db.example.com', certificates: 'near' },
    { host: 'a.db.example.com', certificates: 'own' },
    { host: '*.db.example.com:5432', certificates: 'port' },
  ]);

  it.each([
    ['a.db.example.com', 443, 'own'],
    ['b.db.example.com', 443, 'near'],
    ['x.b.db.example.com', 443, 'near'],
    ['db.example.com', 443, 'wide'],
    ['a.db.example.com', 5432, 'port'],
    ['db.example.com', 5432, null],
    ['example.com', 443, null],
    ['notexample.com', 443, null],
  ])('of %s:%i are %s', (name, port, certificates) => {
    expect(trust.of(name, port)).toBe(certificates);
  });
});

describe('a host with authorities of its own', () => {
  const company = new CertificateAuthority({ name: 'Company authority' });
  const root = opensslCertificate({ name: 'Root', isAuthority: true });
  const middle = opensslCertificate({ name: 'Middle', isAuthority: true, issuer: root });
  const selfSigned = opensslCertificate({ name: 'self.test' });
  let outside: Outside;
  const origins = new Map<string, Origin>();
  beforeAll(async () => {
    outside = await Outside.open();
    const usual = outside.credentials('usual.test', 'company.test', 'middle.test', 'self.test');
    const given: [string, { key: string; cert: string }][] = [
      ['usual.test', usual],
      ['company.test', credentialsFor(company, { hosts: ['company.test', 'usual.test'] })],
      ['middle.test', opensslCertificate({ name: 'middle.test', issuer: middle })],
      ['self.test', selfSigned],
    ];
    for (const [name, credentials] of given)
      origins.set(name, await outside.keep(startOrigin(credentials, (_req, res) => res.end('ok'))));
  });
  afterAll(() => outside.close());

  /** @param at whose server the connection leads to */
  async function reach(host: string, certificates: string | null, at = host): Promise<string> {
    const { port } = origins.get(at)!;
    const hostAuthorities: HostAuthorities[] =
      certificates === null ? [] : [{ host: `${host}:${port}`, certificates }];
    const options: DialerOptions = { hostAuthorities };
    try {
      (await outside.dialer(options).connectTls({ host, port })).destroy();
      return 'reached';
    } catch (error) {
      return (error as Error).message;
    }
  }

  it('is reached by them, and not without', async () => {
    expect(await reach('company.test', null)).toContain('not to be trusted');
    expect(await reach('company.test', company.certificate)).toBe('reached');
    expect(await reach('company.test', `${root.cert}${company.certificate}`)).toBe('reached');
  });

  it('is not reached by what all other hosts are reached by', async () => {
    expect(await reach('usual.test', null)).toBe('reached');
    expect(await reach('usual.test', company.certificate)).toMatch(
      /not to be trusted.*by the authorities of this host alone/,
    );
  });

  it('is reached by its very certificate, which is signed by itself, and no other is', async () => {
    expect(await reach('self.test', null)).toContain('not to be trusted');
    expect(await reach('self.test', selfSigned.cert)).toBe('reached');
    const another = opensslCertificate({ name: 'self.test' });
    expect(await reach('self.test', another.cert)).toContain('not to be trusted');
  });

  it('is reached by an authority in the middle, without its root', async () => {
    expect(await reach('middle.test', middle.cert)).toBe('reached');
    expect(
      await reach('middle.test', opensslCertificate({ name: 'Middle', isAuthority: true }).cert),
    ).toContain('not to be trusted');
  });

  it('has to be the host that the certificate is for, all the same', async () => {
    expect(await reach('self.test', company.certificate, 'company.test')).toContain('for another name');
  });

  it('lends its authorities to no other host', async () => {
    const { port } = origins.get('company.test')!;
    const dialer = outside.dialer({
      hostAuthorities: [{ host: `company.test:${port}`, certificates: company.certificate }],
    });
    await expect(dialer.connectTls({ host: 'usual.test', port })).rejects.toThrow('not to be trusted');
    (await dialer.connectTls({ host: 'company.test', port })).destroy();
    const usual = origins.get('usual.test')!;
    (await dialer.connectTls({ host: 'usual.test', port: usual.port })).destroy();
  });
});
