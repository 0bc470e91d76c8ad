import { X509Certificate } from 'node:crypto';

export const MAX_PEM_LENGTH = 65_536;
const MOST_CERTIFICATES = 20;
const LEAST_RSA_BITS = 2048;
const BLOCK = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/g;

/**
 * Reads certificates that may end a chain: of authorities, or signed by themselves.
 *
 * @returns them, or what is wrong, without anything of what was sent: it may be a private key
 */
export function readCertificates(
  text: string,
  now = new Date(),
): { certificates: X509Certificate[] } | { problem: string } {
  if (/PRIVATE KEY/.test(text)) return { problem: 'has a private key in it, which is nobody’s to send' };
  const blocks = [...text.matchAll(BLOCK)];
  if (text.replaceAll(BLOCK, '').trim() !== '')
    return { problem: 'must be certificates in PEM and nothing else' };
  if (blocks.length === 0 || blocks.length > MOST_CERTIFICATES)
    return { problem: `must have 1 to ${MOST_CERTIFICATES} certificates, and has ${blocks.length}` };
  const certificates: X509Certificate[] = [];
  for (const [index, [, base64 = '']] of blocks.entries()) {
    const certificate = certificateOf(base64);
    const same = certificates.findIndex((one) => certificate?.raw.equals(one.raw));
    const problem =
      certificate === null
        ? 'cannot be read'
        : same >= 0
          ? `is the same as certificate ${same + 1}`
          : problemOf(certificate, now);
    if (problem !== null) return { problem: `has a certificate ${index + 1} that ${problem}` };
    certificates.push(certificate!);
  }
  return { certificates };
}

/** One form of what may be written in many. */
export function pemOf(certificates: readonly X509Certificate[]): string {
  return certificates.map((certificate) => certificate.toString()).join('');
}

function certificateOf(base64: string): X509Certificate | null {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64.replaceAll(/\s/g, '')) return null;
  try {
    const certificate = new X509Certificate(bytes);
    // What follows the certificate within the bytes would be kept, and read by nobody.
    return certificate.raw.equals(bytes) ? certificate : null;
  } catch {
    return null;
  }
}

function problemOf(certificate: X509Certificate, now: Date): string | null {
  if (certificate.validToDate < now)
    return `has expired on ${certificate.validToDate.toISOString().slice(0, 10)}`;
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey;
    const bits = asymmetricKeyDetails?.modulusLength;
    if (asymmetricKeyType?.startsWith('rsa') && (bits === undefined || bits < LEAST_RSA_BITS))
      return `has an RSA key of ${bits} bits, and ${LEAST_RSA_BITS} are the least`;
    if (certificate.ca || isSignedByItself(certificate)) return null;
  } catch {
    return 'has a key of a kind that is not known';
  }
  return 'is neither of an authority (CA) nor signed by itself; send the certificate of who has issued it';
}

/** Not by `checkIssued`, which wants it to be allowed to issue others as well. */
function isSignedByItself(certificate: X509Certificate): boolean {
  const { subject, issuer, publicKey } = certificate;
  return subject === issuer && certificate.verify(publicKey);
}
