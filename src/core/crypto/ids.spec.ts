import { describe, expect, it } from 'vitest';

import { firstIdAt, isId, newId } from './ids.js';

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

  it('begin at an instant where its first id says', () => {
    const before = Date.now();
    const id = newId('audit');
    const after = Date.now();
    expect(firstIdAt('audit', new Date(before)) <= id).toBe(true);
    expect(firstIdAt('audit', new Date(after + 1)) > id).toBe(true);
    expect(isId('audit', firstIdAt('audit', new Date(before)))).toBe(true);
  });

  it.each([
    ['0000-01-01T00:00:00Z', 'aud_00000000000000000000000000'],
    ['1970-01-01T00:00:00.001Z', 'aud_00000000010000000000000000'],
    ['9999-12-31T23:59:59.999Z', 'aud_76ez91zpzz0000000000000000'],
  ])('begin at %s with %s', (instant, id) => {
    expect(firstIdAt('audit', new Date(instant))).toBe(id);
  });

  it('are recognised by kind', () => {
    expect(isId('run', newId('run'))).toBe(true);
    expect(isId('run', newId('file'))).toBe(false);
    expect(isId('run', `${newId('run')}x`)).toBe(false);
    expect(isId('run', newId('run').toUpperCase())).toBe(false);
  });
});
