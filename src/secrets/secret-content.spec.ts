import { describe, expect, it } from 'vitest';

import type { SecretInput } from './secret.dto.js';
import { contentOf } from './secret-content.js';
import type { SecretSourceProvider } from './sources/secret-source.js';

const vault: SecretSourceProvider = {
  referenceProblem: (reference) => (reference.includes('#') ? null : 'must have a #'),
  read: () => Promise.resolve('never read here'),
};
const sources = { find: (name: string) => (name === 'vault' ? vault : null) };
const place = { workspace: { id: 'wks_1', slug: 'acme' }, environment: { id: 'env_1', name: 'production' } };
const of = (input: Partial<SecretInput>) => contentOf({ hosts: [], ...input }, sources, place);

describe('what a request sets', () => {
  it('is a value', () => {
    expect(of({ value: 'sk_1' })).toEqual({ value: 'sk_1', source: null, reference: null });
  });

  it('is a reference into a source', () => {
    const named = { source: 'vault', reference: 'stripe#key' };
    expect(of(named)).toEqual({ value: null, ...named });
  });

  it.each<[string, Partial<SecretInput>, string]>([
    ['neither', {}, 'value: must be a string, unless a source is named'],
    ['no value', { value: '' }, 'value: must not be empty'],
    ['both', { value: 'sk_1', source: 'vault', reference: 'a#b' }, 'value: must be left out'],
    ['another source', { source: 'other', reference: 'a#b' }, 'source: is not a source of secrets'],
    ['no reference', { source: 'vault' }, 'reference: must say which value'],
    ['a wrong reference', { source: 'vault', reference: 'a' }, 'reference: must have a #'],
    ['a reference of nothing', { value: 'sk_1', reference: 'a#b' }, 'reference: is for a source'],
  ])('is never %s', (_, input, words) => {
    expect(() => of(input)).toThrow(words);
  });
});
