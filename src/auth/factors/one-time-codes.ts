import { Secret, TOTP } from 'otpauth';

/** As RFC 4226 recommends. */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Steps by which the clock of a phone may be wrong, in each direction. */
const DRIFT = 1;
const CODE = /^\d{6}$/;

/** What apps for codes know without being told: codes of six digits, new each half minute, by HMAC-SHA-1 (RFC 6238). */
const FORM = { algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS } as const;

export function newTotpSecret(): Buffer {
  return Buffer.from(new Secret({ size: SECRET_BYTES }).bytes);
}

/** As people type it into an app: base32. */
export function secretText(secret: Buffer): string {
  return secretOf(secret).base32;
}

/** What the app reads from a QR code. */
export function totpUri(secret: Buffer, issuer: string, account: string): string {
  return new TOTP({ ...FORM, issuer, label: account, secret: secretOf(secret) }).toString();
}

/** Whether a text has the form of such a code, with or without blanks; else it may be a recovery code. */
export function isTotpCode(text: string): boolean {
  return CODE.test(text.replace(/\s/g, ''));
}

/** The number of the half minute of which it is the code; null: it is none of about now. */
export function stepOfCode(secret: Buffer, code: string, now = Date.now()): number | null {
  const token = code.replace(/\s/g, '');
  if (!CODE.test(token)) return null;
  const delta = TOTP.validate({ ...FORM, token, secret: secretOf(secret), timestamp: now, window: DRIFT });
  return delta === null ? null : TOTP.counter({ period: PERIOD_SECONDS, timestamp: now }) + delta;
}

function secretOf(bytes: Buffer): Secret {
  return new Secret({ buffer: new Uint8Array(bytes).buffer });
}
