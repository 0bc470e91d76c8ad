import { describe, expect, it } from 'vitest';

import { parseConcurrency } from './concurrency.js';
import { keyParts } from './key-template.js';

const schema = { type: 'object', properties: { customer: { type: 'string' } } };

const problems = (given: object): unknown => {
  try {
    return parseConcurrency(given, schema);
  } catch (error) {
    return (error as { details: { path: string }[] }).details.map(({ path }) => path);
  }
};

describe('concurrency', () => {
  it('has defaults, and is never there by itself', () => {
    expect(parseConcurrency(undefined, schema)).toBeNull();
    expect(parseConcurrency(null, schema)).toBeNull();
    expect(parseConcurrency({ limit: 2 }, schema)).toEqual({ limit: 2, key: null, onLimit: 'queue' });
  });

  it('names each wrong field', () => {
    expect(problems({})).toEqual(['concurrency.limit']);
    expect(problems({ limit: 0, key: 1, onLimit: 'wait', most: 1 })).toEqual([
      'concurrency.most',
      'concurrency.limit',
      'concurrency.onLimit',
      'concurrency.key',
    ]);
    expect(problems({ limit: 1001 })).toEqual(['concurrency.limit']);
  });

  it.each(['{', '}', '{}', '{a b}', '{customer', '{town}', 'x'.repeat(201)])('refuses the key %s', (key) => {
    expect(problems({ limit: 1, key })).toEqual(['concurrency.key']);
  });

  it('has a key of text and inputs', () => {
    expect(keyParts(null)).toEqual([]);
    expect(keyParts('{customer}')).toEqual([{ input: 'customer' }]);
    expect(keyParts('of {customer} in {town}!')).toEqual([
      { text: 'of ' },
      { input: 'customer' },
      { text: ' in ' },
      { input: 'town' },
      { text: '!' },
    ]);
  });
});
