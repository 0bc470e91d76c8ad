import { randomBytes } from 'node:crypto';

import { hashToken } from '../../core/crypto/index.js';

export const RECOVERY_CODES = 10;
/** Of Crockford's base32: nothing that looks like something else. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 16;

/** Of 80 random bits, so that its hash can be kept as it is: nobody tries them all out. */
export function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => LETTERS[byte & 31]).join('');
  return letters.replace(/.{4}(?=.)/g, '$&-');
}

/** Of a code as somebody has typed it: in any case, with o for 0 and i or l for 1, with or without dashes. */
export function hashOfRecoveryCode(text: string): Buffer {
  const plain = text.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1');
  return hashToken(`recovery code ${plain}`);
}
