import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

import type { MasterKey } from '../../core/crypto/index.js';
import type { ProofReport } from './proof-report.js';

const PURPOSE = 'proof-of-walls';
const SPKI = { format: 'der', type: 'spki' } as const;

/** A report, and who vouches for it. The signature is Ed25519 over the report as JSON without blanks. */
export interface SignedReport {
  report: ProofReport;
  /** SubjectPublicKeyInfo in base64. */
  publicKey: string;
  /** In base64. */
  signature: string;
}

/** `changed`: not as it was signed, or no report at all. `other-key`: whole, and signed by a key that is not the given one. */
export type Verdict = 'changed' | 'other-key' | 'own';

export function signReport(report: ProofReport, masterKey: MasterKey): SignedReport {
  const key = masterKey.signingKey(PURPOSE);
  const publicKey = publicTextOf(key);
  return { report, publicKey, signature: sign(null, bytesOf(report), key).toString('base64') };
}

/** @param signed as it was read from a file: it may be anything */
export function verifyReport(signed: unknown, masterKey: MasterKey): Verdict {
  if (!isSigned(signed)) return 'changed';
  const { report, publicKey, signature } = signed;
  if (!isWhole(report, publicKey, signature)) return 'changed';
  return publicKey === publicTextOf(masterKey.signingKey(PURPOSE)) ? 'own' : 'other-key';
}

function isWhole(report: unknown, publicKey: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), ...SPKI });
    if (key.asymmetricKeyType !== 'ed25519') return false;
    return verify(null, bytesOf(report), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

const bytesOf = (report: unknown): Buffer => Buffer.from(JSON.stringify(report));

const publicTextOf = (key: KeyObject): string => createPublicKey(key).export(SPKI).toString('base64');

function isSigned(value: unknown): value is SignedReport {
  if (typeof value !== 'object' || value === null) return false;
  const { report, publicKey, signature } = value as Record<string, unknown>;
  return (
    typeof report === 'object' &&
    report !== null &&
    [publicKey, signature].every((text) => typeof text === 'string')
  );
}
