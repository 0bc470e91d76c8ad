import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { CertificateAuthority, createLeafKey } from './certificate-authority.js';
import { LeafContexts } from './leaf-contexts.js';
import { listen } from './test/origin.js';

const key = createLeafKey();
const authority = new CertificateAuthority();
const issuer = new X509Certificate(authority.certificate);

function issue(...hosts: string[]): X509Certificate {
  return new X509Certificate(authority.issue({ hosts, publicKey: key.publicKey }));
}

describe('CertificateAuthority', () => {
  it('makes certificates that it signed, for the names and nothing else', () => {
    const leaf = issue('api.example.com', '127.0.0.1', '2001:db8::1');
    expect(leaf.verify(issuer.publicKey)).toBe(true);
    expect(leaf.checkIssued(issuer)).toBe(true);
    expect(leaf.checkHost('api.example.com')).toBe('api.example.com');
    expect(leaf.checkHost('x.api.example.com')).toBeUndefined();
    expect(leaf.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(leaf.checkIP('2001:db8::1')).toBe('2001:db8::1');
    expect(leaf.ca).toBe(false);
    expect(issuer.ca).toBe(true);
  });

  it('takes names that are too long for a common name', () => {
    const long = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.example.com`;
    const leaf = issue(long);
    expect(leaf.checkHost(long)).toBe(long);
    expect(leaf.subject ?? '').toBe('');
  });

  it('gives each certificate a serial number of its own', () => {
    const serials = Array.from({ length: 50 }, () => issue('a.com').serialNumber);
    expect(new Set(serials).size).toBe(50);
    expect(new CertificateAuthority().certificate).not.toBe(authority.certificate);
  });

  it('writes dates beyond 2049', () => {
    const notAfter = new Date('2061-05-06T07:08:09Z');
    const leaf = new X509Certificate(
      authority.issue({ hosts: ['a.com'], publicKey: key.publicKey, notAfter }),
    );
    expect(new Date(leaf.validTo)).toEqual(notAfter);
  });

  it('passes the strict rules that OpenSSL has, and Python from 3.13 on', () => {
    const folder = mkdtempSync(join(tmpdir(), 'egress-ca-'));
    try {
      writeFileSync(join(folder, 'ca.pem'), authority.certificate);
      const files = ['short.com', `${'a'.repeat(63)}.${'b'.repeat(10)}.com`].map((host, index) => {
        const file = join(folder, `${index}.pem`);
        writeFileSync(file, authority.issue({ hosts: [host], publicKey: key.publicKey }));
        return file;
      });
      const args = [
        'verify',
        '-x509_strict',
        '-purpose',
        'sslserver',
        '-CAfile',
        join(folder, 'ca.pem'),
        ...files,
      ];
      expect(execFileSync('openssl', args).toString().match(/: OK/g)).toHaveLength(2);
      const python = [
        'import ssl, sys',
        'ctx = ssl.create_default_context(cafile=sys.argv[1])',
        'ctx.verify_flags |= ssl.VERIFY_X509_STRICT | getattr(ssl, "VERIFY_X509_PARTIAL_CHAIN", 0)',
        'print(len(ctx.get_ca_certs()))',
      ].join('\n');
      expect(
        execFileSync('python3', ['-c', python, join(folder, 'ca.pem')])
          .toString()
          .trim(),
      ).toBe('1');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('LeafContexts', () => {
  it('makes a context once, and forgets the one unused for the longest', () => {
    const contexts = new LeafContexts(authority, { max: 2 });
    const first = contexts.contextFor('a.com');
    contexts.contextFor('b.com');
    expect(contexts.contextFor('a.com')).toBe(first);
    contexts.contextFor('c.com');
    expect(contexts.size).toBe(2);
    expect(contexts.contextFor('a.com')).toBe(first);
  });

  it('serves TLS that a strict client takes', async () => {
    const contexts = new LeafContexts(authority);
    const server = tls.createServer(
      { SNICallback: (name, done) => done(null, contexts.contextFor(name)) },
      (socket) => socket.end('hi'),
    );
    const origin = await listen(server);
    const socket = tls.connect({
      host: origin.address,
      port: origin.port,
      servername: 'some.host.com',
      ca: authority.certificate,
    });
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    expect(socket.authorized).toBe(true);
    expect(socket.getPeerX509Certificate()?.subjectAltName).toBe('DNS:some.host.com');
    socket.destroy();
    await origin.close();
  });
});
