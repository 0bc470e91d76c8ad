import { describe, expect, it } from 'vitest';

import { isId, newId } from './ids.js';

describe('ids', () => {
  it('have the prefix of their kind and 26 characters of Crockford base32', () => {
    expect(newId('run')).toMatch(/^run_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    expect(newId('delivery')).toMatch(/^msg_/);
  });

  it('sort by creation', () => {
    const ids = Array.from({ length: 2000 }, () => newId('event'));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are recognised by kind', () => {
    expect(isId('run', newId('run'))).toBe(true);
    expect(isId('run', newId('file'))).toBe(false);
    expect(isId('run', `${newId('run')}x`)).toBe(false);
    expect(isId('run', newId('run').toUpperCase())).toBe(false);
  });
});
