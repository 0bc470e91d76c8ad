import { describe, expect, it } from 'vitest';

import { parseDebounce } from './debounce.js';

const schema = { type: 'object', properties: { customer: { type: 'string' } } };

const problems = (given: object): unknown => {
  try {
    return parseDebounce(given, schema);
  } catch (error) {
    return (error as { details: { path: string }[] }).details.map(({ path }) => path);
  }
};

describe('debounce', () => {
  it('has defaults, and is never there by itself', () => {
    expect(parseDebounce(undefined, schema)).toBeNull();
    expect(parseDebounce(null, schema)).toBeNull();
    expect(parseDebounce({ wait: 5 }, schema)).toEqual({ key: null, wait: 5, maxWait: 50 });
    expect(parseDebounce({ wait: 5, maxWait: null }, schema)).toEqual({ key: null, wait: 5, maxWait: 50 });
  });

  it.each([
    [1, 10],
    [3_600, 36_000],
  ])('waits %i s from start to start, and %i s in all', (wait, maxWait) => {
    expect(parseDebounce({ wait }, schema)).toMatchObject({ wait, maxWait });
    expect(parseDebounce({ wait, maxWait: wait }, schema)).toMatchObject({ maxWait: wait });
    expect(parseDebounce({ wait, maxWait: 86_400 }, schema)).toMatchObject({ maxWait: 86_400 });
  });

  it('names each wrong field', () => {
    expect(problems({})).toEqual(['debounce.wait']);
    expect(problems({ wait: '5', key: 1, most: 1 })).toEqual([
      'debounce.most',
      'debounce.wait',
      'debounce.key',
    ]);
    for (const wait of [0, -1, 1.5, 3_601, null, NaN]) expect(problems({ wait })).toEqual(['debounce.wait']);
    for (const maxWait of [4, 5.5, 86_401, '10'])
      expect(problems({ wait: 5, maxWait })).toEqual(['debounce.maxWait']);
  });

  it.each(['{', '{}', '{town}', 'x'.repeat(201)])('refuses the key %s', (key) => {
    expect(problems({ wait: 1, key })).toEqual(['debounce.key']);
  });
});
