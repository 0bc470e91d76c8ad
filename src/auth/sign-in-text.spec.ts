import { describe, expect, it } from 'vitest';

import { normalizeEmail, normalizePassword } from './sign-in-text.js';

describe('what is typed to sign in', () => {
  it('finds an address in any case', () => {
    expect(normalizeEmail(' Ada.LOVELACE@Example.COM ')).toBe('ada.lovelace@example.com');
    expect(normalizeEmail('Zoe\u0308@example.com')).toBe(normalizeEmail('ZO\u00cb@example.com'));
  });

  it('keeps a password but for the composition of its letters', () => {
    expect(normalizePassword(' Cafe\u0301 ')).toBe(' Caf\u00e9 ');
  });
});
