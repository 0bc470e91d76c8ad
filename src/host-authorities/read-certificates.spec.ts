import { describe, expect, it } from 'vitest';

import { CertificateAuthority, createLeafKey } from '../../libs/egress/index.js';
import { opensslCertificate } from '../../libs/egress/test/openssl-certificates.js';
import { pemOf, readCertificates } from './read-certificates.js';

const authority = new CertificateAuthority();
const another = new CertificateAuthority();
const { publicKey } = createLeafKey();
const leaf = authority.issue({ hosts: ['db.test'], publicKey });
const selfSigned = opensslCertificate({ name: 'db.test' });
const RSA = (bits: number): string =>
  opensslCertificate({ name: 'CA', isAuthority: true, keyOptions: ['-newkey', `rsa:${bits}`] }).cert;

function problemOf(text: string, now?: Date): string | null {
  const read = readCertificates(text, now);
  return 'problem' in read ? read.problem : null;
}

describe('readCertificates', () => {
  it.each([
    ['an authority', authority.certificate],
    ['several, with room between them', `\n${authority.certificate}\n \n${another.certificate}\n\n`],
    ['lines as Windows ends them', authority.certificate.replaceAll('\n', '\r\n')],
    ['one that is signed by itself', selfSigned.cert],
    ['an authority with RSA', RSA(2048)],
  ])('takes %s', (_, text) => expect(problemOf(text)).toBeNull());

  it('keeps one form of what can be written in many', () => {
    const read = (text: string) => {
      const found = readCertificates(text);
      return 'problem' in found ? found.problem : pemOf(found.certificates);
    };
    const { certificate } = authority;
    expect(read(`\r\n${certificate.replaceAll('\n', '\r\n')}`)).toBe(certificate);
    expect(read(read(certificate))).toBe(certificate);
  });

  const cut = authority.certificate.replace(/\n.{10}/, '\n');
  const twice = Buffer.from(authority.certificate.replaceAll(/-.*-|\s/g, ''), 'base64');
  const padded = `-----BEGIN CERTIFICATE-----\n${Buffer.concat([twice, Buffer.from('more')]).toString('base64')}\n-----END CERTIFICATE-----`;
  it.each([
    ['nothing', '', '1 to 20 certificates, and has 0'],
    ['too many', authority.certificate.repeat(21), 'has 21'],
    ['a key beside it', authority.certificate + selfSigned.key, 'private key'],
    ['words beside it', `My authority\n${authority.certificate}`, 'nothing else'],
    ['a block of another kind', authority.certificate.replaceAll('CERTIFICATE', 'X509 CRL'), 'nothing else'],
    ['blanks without an end', `-----BEGIN CERTIFICATE-----${'\n'.repeat(60_000)}!`, 'nothing else'],
    ['no end', authority.certificate.slice(0, -10), 'nothing else'],
    ['what is no certificate', cut, 'certificate 1 that cannot be read'],
    ['more after it', padded, 'certificate 1 that cannot be read'],
    ['one twice', authority.certificate.repeat(2), 'certificate 2 that is the same as certificate 1'],
    ["a server's, issued by another", authority.certificate + leaf, 'certificate 2 that is neither'],
    ['a key that is too small', RSA(1024), 'RSA key of 1024 bits'],
  ])('refuses %s', (_, text, problem) => {
    expect(problemOf(text)).toContain(problem);
    expect(problemOf(text)!.length).toBeLessThan(200);
  });

  it('refuses one that has expired, and says when', () => {
    expect(problemOf(authority.certificate, new Date('2100-01-01'))).toMatch(/has expired on 20\d\d-/);
  });
});
