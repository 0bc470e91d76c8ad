import { createHash } from 'node:crypto';

const SEQUENCE = 0x30;
const OBJECT_IDENTIFIER = 0x06;

/** Signature algorithms (the content of their identifiers, hex) by the hash that they stand for. */
const HASHES: Record<string, string> = {
  // RSA with MD5 and SHA-1, and ECDSA with SHA-1: RFC 5929 takes SHA-256 instead.
  '2a864886f70d010104': 'sha256',
  '2a864886f70d010105': 'sha256',
  '2a8648ce3d0401': 'sha256',
  '2a864886f70d01010b': 'sha256',
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a864886f70d01010e': 'sha224',
  '2a8648ce3d040301': 'sha224',
  '2a8648ce3d040302': 'sha256',
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
};

/**
 * What tls-server-end-point binds to (RFC 5929, 4.1): the certificate's hash, by its own signature's algorithm.
 *
 * @param certificate DER
 * @returns null where the algorithm has no hash of its own, as Ed25519, or says it elsewhere, as RSA-PSS
 */
export function endPointHash(certificate: Buffer): Buffer | null {
  const name = HASHES[signatureAlgorithm(certificate) ?? ''];
  return name === undefined ? null : createHash(name).update(certificate).digest();
}

/** Certificate ::= SEQUENCE { tbsCertificate, signatureAlgorithm SEQUENCE { OBJECT IDENTIFIER, … }, … } */
function signatureAlgorithm(certificate: Buffer): string | null {
  const whole = elementAt(certificate, 0, SEQUENCE);
  const signed = whole && elementAt(certificate, whole.start, SEQUENCE);
  const algorithm = signed && elementAt(certificate, signed.end, SEQUENCE);
  const identifier = algorithm && elementAt(certificate, algorithm.start, OBJECT_IDENTIFIER);
  return identifier ? certificate.subarray(identifier.start, identifier.end).toString('hex') : null;
}

function elementAt(der: Buffer, at: number, tag: number): { start: number; end: number } | null {
  if (der[at] !== tag) return null;
  const first = der[at + 1] ?? 0;
  const bytes = first < 0x80 ? 0 : first & 0x7f;
  if (bytes > 4 || at + 2 + bytes > der.length) return null;
  const length = bytes === 0 ? first : der.readUIntBE(at + 2, bytes);
  const start = at + 2 + bytes;
  return start + length <= der.length ? { start, end: start + length } : null;
}
