import { createHmac, timingSafeEqual } from 'node:crypto';

import { hashToken, randomText } from '../core/crypto/index.js';
import type { BegunSignIn } from './sign-in-way.js';

const LENGTH = 43;
/** As long as a confirmation by password counts: a session is opened as confirmed. */
const MAX_AGE_SECONDS = 3600;

/**
 * The secret of one sign-in, which the browser keeps in a cookie and the database knows by its hash alone. State, nonce and
 * the verifier of PKCE are made of it, each for one way: nobody who reads the database or the provider's address can finish it.
 */
export class SignInSecret {
  private constructor(readonly text: string) {}

  static next(): SignInSecret {
    return new SignInSecret(randomText(LENGTH));
  }

  /** As a browser sends it. null: it cannot be one. */
  static of(text: string | null): SignInSecret | null {
    return text !== null && text.length === LENGTH ? new SignInSecret(text) : null;
  }

  get hash(): Buffer {
    return hashToken(this.text);
  }

  for(way: string, redirectUri: string, maxAgeSeconds = MAX_AGE_SECONDS): BegunSignIn {
    return {
      redirectUri,
      state: this.derive('state', way),
      nonce: this.derive('nonce', way),
      codeVerifier: this.derive('verifier', way),
      maxAgeSeconds,
    };
  }

  private derive(purpose: string, way: string): string {
    return createHmac('sha256', this.text).update(`${purpose} ${way}`).digest('base64url');
  }
}

/** Whether an address has exactly that state. */
export function hasState(callback: URL, expected: string): boolean {
  const given = callback.searchParams.getAll('state').map((state) => Buffer.from(state));
  const wanted = Buffer.from(expected);
  const [state] = given;
  return given.length === 1 && state!.length === wanted.length && timingSafeEqual(state!, wanted);
}
