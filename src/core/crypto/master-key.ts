import {
  createHmac,
  createPrivateKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';

import { seal, unseal } from './sealed-box.js';

export const MASTER_KEY_BYTES = 32;
/** What comes before the 32 bytes of an Ed25519 key in PKCS 8, DER (RFC 8410, 7). */
const ED25519_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The instance's key and the keys derived from it, one for each purpose, so that no key serves two. */
export class MasterKey {
  private readonly derived = new Map<string, KeyObject>();
  /** Distinguishes master keys and reveals nothing of them: it is stored beside what the key has sealed. */
  readonly id: string;

  constructor(private readonly key: Buffer) {
    this.id = this.keyFor('id').export().toString('base64url', 0, 12);
  }

  /** AES-256-GCM. `context` must be the same to decrypt: it binds a value to its place. */
  encrypt(purpose: string, plain: Buffer, context: string): Buffer {
    return seal(this.keyFor(purpose), plain, context);
  }

  decrypt(purpose: string, sealed: Buffer, context: string): Buffer {
    return unseal(this.keyFor(purpose), sealed, context);
  }

  /** HMAC-SHA256 of a text, in base64url. */
  sign(purpose: string, text: string): string {
    return createHmac('sha256', this.keyFor(purpose)).update(text).digest('base64url');
  }

  verify(purpose: string, text: string, signature: string): boolean {
    const expected = Buffer.from(this.sign(purpose, text));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }

  /** An Ed25519 key, for what others verify by its public half. */
  signingKey(purpose: string): KeyObject {
    const key = Buffer.concat([ED25519_HEAD, this.keyFor(purpose).export()]);
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  }

  private keyFor(purpose: string): KeyObject {
    let key = this.derived.get(purpose);
    if (!key) {
      const bytes = hkdfSync('sha256', this.key, '', `gatehouse/${purpose}`, MASTER_KEY_BYTES);
      key = createSecretKey(Buffer.from(bytes));
      this.derived.set(purpose, key);
    }
    return key;
  }
}
