import { describe, expect, it } from 'vitest';

import { exactNumber, looksLikeNumber, parseExactJson } from './exact-number.js';

describe('exactNumber', () => {
  it.each([
    ['0', 0],
    ['-0.50', -0.5],
    ['007', 7],
    ['1e3', 1000],
    ['0.1', 0.1],
    ['.5', 0.5],
    ['9007199254740993e0', null],
    ['9007199254740992', 9007199254740992],
    ['12345678901234567890', null],
    ['0.12345678901234567890', null],
    ['1e400', null],
    ['1,5', null],
    ['five', null],
    ['', null],
  ])('%s → %s', (text, value) => {
    expect(exactNumber(text)).toBe(value);
  });

  it('still knows a number that it cannot keep for one', () => {
    expect(looksLikeNumber('12345678901234567890')).toBe(true);
    expect(looksLikeNumber('12a')).toBe(false);
  });
});

describe('parseExactJson', () => {
  // Without the source of a number, as on older engines, nothing is noticed; the service refuses it then.
  const tellsSource = JSON.parse('1', (_, __, context?: { source?: string }) => context?.source) === '1';

  it('names the number that would be changed', () => {
    const { inexact } = parseExactJson('{"a": [12345678901234567890]}');
    expect(inexact).toBe(tellsSource ? '12345678901234567890' : null);
  });

  it('reads what can be kept', () => {
    expect(parseExactJson('{"a": [1, "2"]}')).toEqual({ value: { a: [1, '2'] }, inexact: null });
  });
});
