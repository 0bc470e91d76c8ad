import { createHmac } from 'node:crypto';

import { hashToken, randomText } from '../../core/crypto/index.js';

const LENGTH = 43;

/**
 * The secret of one challenge, which the browser keeps in a cookie and the database knows by its hash alone. What a passkey
 * signs is made of it. So a signature that was made in another browser, or for an earlier challenge, fits nothing.
 */
export class ChallengeSecret {
  private constructor(readonly text: string) {}

  static next(): ChallengeSecret {
    return new ChallengeSecret(randomText(LENGTH));
  }

  /** As a browser sends it. null: it cannot be one. */
  static of(text: string | null): ChallengeSecret | null {
    return text !== null && text.length === LENGTH ? new ChallengeSecret(text) : null;
  }

  get hash(): Buffer {
    return hashToken(this.text);
  }

  /** What a passkey signs. */
  get signed(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(createHmac('sha256', this.text).update('passkey').digest());
  }
}
