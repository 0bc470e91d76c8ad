/** How a secret goes along with a request: one of the usual ways, or a header and a value of one's own. */
export type SecretUseForm = 'bearer' | 'basic' | 'aws' | 'signIn' | 'own';

interface HeaderUse {
  header: string;
  value: string;
}

const AUTHORIZATION = 'authorization';
const BASIC = /^Basic \{base64:([^{}:]*):\{secret\}\}$/;

export const BEARER: HeaderUse = { header: AUTHORIZATION, value: 'Bearer {secret}' };
/** It is not sent: the gate signs with it. */
export const AWS: HeaderUse = { header: AUTHORIZATION, value: 'AWS4-HMAC-SHA256 {secret}' };
/** It is in no request: the gate signs in to PostgreSQL with it. */
export const SIGN_IN: HeaderUse = { header: '', value: '{secret}' };
/** Of a user whom most hosts take for a token's owner. */
export const BASIC_USER = 'x-access-token';

export function basicUse(user: string): HeaderUse {
  return { header: AUTHORIZATION, value: `Basic {base64:${user}:{secret}}` };
}

/** The user of Basic credentials, or null for another form. */
export function basicUserOf(value: string): string | null {
  return BASIC.exec(value)?.[1] ?? null;
}

export function secretUseForm({ header, value }: HeaderUse): SecretUseForm {
  if (value === AWS.value) return 'aws';
  if (header === '') return 'signIn';
  if (header.toLowerCase() !== AUTHORIZATION) return 'own';
  if (value === BEARER.value) return 'bearer';
  return basicUserOf(value) === null ? 'own' : 'basic';
}
