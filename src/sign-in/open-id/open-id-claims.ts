import { NotFresh } from '../sign-in-refusal.js';
import type { ProvenPerson } from '../sign-in-way.js';

/** What a provider says of somebody, by the names that OpenID Connect and the provider give it. */
export type OpenIdClaims = Readonly<Record<string, unknown>>;

const CLOCKS_APART_SECONDS = 60;

/**
 * What the ID token says goes before what the provider says besides. An address and whether it is verified come from one
 * of them, so that nobody's verified address vouches for another.
 */
export function joinedClaims(idToken: OpenIdClaims, userInfo: OpenIdClaims): OpenIdClaims {
  const { email, email_verified } = idToken['email'] === undefined ? userInfo : idToken;
  return { ...userInfo, ...idToken, email, email_verified };
}

export function personOf(claims: OpenIdClaims): Omit<ProvenPerson, 'memberships' | 'authenticatedAt'> {
  const { iss, sub, email, email_verified: emailVerified } = claims;
  return {
    issuer: textOf(iss),
    subject: textOf(sub),
    email: textOf(email),
    emailVerified: isTrue(emailVerified),
    name: textOf(claims['name'] ?? claims['preferred_username']),
  };
}

/**
 * When the person last gave the provider their password, or what it asks for instead; null where it does not say so.
 *
 * @throws Forbidden where that is longer ago than was asked for
 */
export function authenticatedAt(claims: OpenIdClaims, maxAgeSeconds: number, now = Date.now()): Date | null {
  const { auth_time: seconds } = claims;
  if (typeof seconds !== 'number') return null;
  if (seconds < now / 1000 - maxAgeSeconds - CLOCKS_APART_SECONDS) {
    throw new NotFresh('The person signed in at the provider too long ago, and it did not ask them again.');
  }
  return new Date(seconds * 1000);
}

/** Some providers say it as a text, such as Amazon Cognito and Apple. */
export function isTrue(value: unknown): boolean {
  return (
    value === true ||
    value === 1 ||
    value === '1' ||
    (typeof value === 'string' && value.toLowerCase() === 'true')
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
