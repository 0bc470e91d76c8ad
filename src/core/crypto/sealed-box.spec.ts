import { createSecretKey, randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { seal, unseal } from './sealed-box.js';

const key = createSecretKey(randomBytes(32));
const plain = Buffer.from('sk_live_12345');

describe('seal', () => {
  it('is opened by the same key in the same context', () => {
    expect(unseal(key, seal(key, plain, 'here'), 'here')).toEqual(plain);
    expect(unseal(key, seal(key, Buffer.alloc(0), ''), '')).toEqual(Buffer.alloc(0));
  });

  it('looks different each time and holds nothing of the text', () => {
    const [one, other] = [seal(key, plain, ''), seal(key, plain, '')];
    expect(one).not.toEqual(other);
    expect(one.includes(plain)).toBe(false);
  });

  it('opens with no other key, in no other context, and not with a changed, cut or lengthened text', () => {
    const sealed = seal(key, plain, 'here');
    expect(() => unseal(createSecretKey(randomBytes(32)), sealed, 'here')).toThrow();
    expect(() => unseal(key, sealed, 'there')).toThrow();
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index]! ^= 1;
      expect(() => unseal(key, changed, 'here')).toThrow();
      expect(() => unseal(key, sealed.subarray(0, index), 'here')).toThrow();
    }
    expect(() => unseal(key, Buffer.concat([sealed, Buffer.of(0)]), 'here')).toThrow();
  });
});
