import { describe, expect, it } from 'vitest';

import { expiryOf } from './expiry.js';

describe('The end of a token', () => {
  it('is so many days from now, or never', () => {
    const now = new Date('2026-01-30T12:00:00Z');
    expect(expiryOf('30', now)).toBe('2026-03-01T12:00:00.000Z');
    expect(expiryOf('never', now)).toBeNull();
  });
});
