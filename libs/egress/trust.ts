import { readFileSync } from 'node:fs';
import tls from 'node:tls';

/** Authorities that were added since the process started. */
const added: string[] = [];

/**
 * Has this process trust one more authority, as `NODE_EXTRA_CA_CERTS` does from its start: for tests, whose servers make
 * their certificates themselves. Who has connected by TLS already goes on with what it trusted then.
 *
 * @param certificate PEM
 */
export function trustAuthority(certificate: string): void {
  added.push(certificate);
}

/**
 * What certificates of other sides are checked against: the process's authorities (with NODE_EXTRA_CA_CERTS and
 * `--use-openssl-ca`) and some more. Making one takes milliseconds, so make it once.
 *
 * @param extra further authorities' certificates, PEM
 */
export function trustContext(extra: readonly string[] = []): tls.SecureContext {
  // Naming authorities replaces the process's own, so these have to be named too.
  const more = [...added, ...extra];
  const ca = more.length > 0 ? [...processAuthorities(), ...more] : undefined;
  return tls.createSecureContext({ minVersion: 'TLSv1.2', ...(ca && { ca }) });
}

/** What this process trusts besides what Node brings along: for another process that is to trust the same. */
export function extraAuthorities(): string[] {
  const usual = new Set(tls.rootCertificates);
  return [...processAuthorities().filter((certificate) => !usual.has(certificate)), ...added];
}

/** The options of Node that choose what it trusts, as this process was given them. */
export function trustFlags(): string[] {
  const given = [...process.execArgv, ...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/)];
  return given.filter((option) => /^--use-(?:openssl|bundled|system)-ca$/.test(option));
}

function processAuthorities(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  if (getCACertificates) return getCACertificates('default');
  // Node below 22.15 cannot list them, so its sources are read again.
  const files = [
    process.env['NODE_EXTRA_CA_CERTS'],
    usesSystemFile() ? process.env['SSL_CERT_FILE'] : undefined,
  ];
  return [...tls.rootCertificates, ...files.flatMap((path) => (path ? readCertificates(path) : []))];
}

function usesSystemFile(): boolean {
  return trustFlags().includes('--use-openssl-ca');
}

/** Node itself only warns when the file cannot be read. */
function readCertificates(path: string): string[] {
  try {
    return [readFileSync(path, 'utf8')];
  } catch {
    return [];
  }
}
