import { describe, expect, it } from 'vitest';

import { isTimestamp, lineProblem } from './text.validators.js';

describe('lineProblem', () => {
  it.each(['a', 'Zoë’s “α” 🧑‍🚀', ' padded ', '名前', 'abc\u202egnp.exe', '\u2066', '\u200bשלום'])(
    'takes %j',
    (text) => expect(lineProblem(text)).toBeNull(),
  );

  it.each(['a\nb', 'a\tb', '\u0007', '\u0085', '\u2028', '\u2029'])('refuses %j', (text) =>
    expect(lineProblem(text)).toContain('control characters'),
  );

  it('refuses what cannot be seen', () => expect(lineProblem(' \u00a0 ')).toBe('must not be blank'));
});

describe('isTimestamp', () => {
  it.each([
    '2030-01-31T12:00:00.000Z',
    '2030-01-31T12:00:00Z',
    '2030-01-31T12:00Z',
    '2028-02-29T23:59:59.123456+05:30',
    '0099-12-31T00:00:00-11:00',
  ])('takes %s', (text) => expect(isTimestamp(text)).toBe(true));

  it.each([
    '',
    'tomorrow',
    '2030-01-31',
    '2030-01-31T12:00:00',
    '2030-02-30T12:00:00Z',
    '2030-13-01T12:00:00Z',
    '2030-00-01T12:00:00Z',
    '2029-02-29T00:00:00Z',
    '2030-01-31T24:00:00Z',
    '2030-01-31T12:60:00Z',
    '2030-01-31T12:00:60Z',
    '2030-01-31T12:00:00+24:00',
    '2030-01-31 12:00:00Z',
    '12030-01-31T12:00:00Z',
    '1893456000',
  ])('refuses %j', (text) => expect(isTimestamp(text)).toBe(false));
});
