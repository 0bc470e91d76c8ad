import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface CertificateOptions {
  name: string;
  /** Whether it is an authority's. Default: no. */
  isAuthority?: boolean;
  /** Default: itself. */
  issuer?: { key: string; cert: string };
  /** As OpenSSL writes them. Default: a key of P-256. */
  keyOptions?: string[];
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

/** A certificate and its key, PEM, such as others than our own authority make. */
export function opensslCertificate({
  name,
  isAuthority = false,
  issuer,
  keyOptions = CURVE,
}: CertificateOptions): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const at = (file: string): string => join(folder, file);
  try {
    const usage = isAuthority ? 'keyCertSign' : 'digitalSignature';
    const by: string[] = [];
    if (issuer) {
      writeFileSync(at('ca.key'), issuer.key);
      writeFileSync(at('ca.pem'), issuer.cert);
      by.push('-CA', at('ca.pem'), '-CAkey', at('ca.key'));
    }
    const extensions = [
      `basicConstraints=critical,CA:${isAuthority ? 'TRUE' : 'FALSE'}`,
      `keyUsage=critical,${usage}`,
      ...(isAuthority ? [] : [`subjectAltName=DNS:${name}`]),
    ].flatMap((text) => ['-addext', text]);
    const files = ['-keyout', at('key.pem'), '-out', at('cert.pem')];
    const args = ['req', '-x509', '-nodes', '-days', '30', '-subj', `/CN=${name}`, ...keyOptions];
    execFileSync('openssl', [...args, ...extensions, ...by, ...files], { stdio: 'pipe' });
    return { key: readFileSync(at('key.pem'), 'utf8'), cert: readFileSync(at('cert.pem'), 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
