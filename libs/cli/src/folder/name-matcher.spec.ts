import { expect, it } from 'vitest';

import { nameMatcher } from './name-matcher.js';

it.each([
  ['a.txt', 'a.txt', true],
  ['a.txt', 'aXtxt', false],
  ['notes/', 'notes', true],
  ['*.md', 'TODO.md', true],
  ['*.md', '.md', true],
  ['*.md', 'docs/TODO.md', false],
  ['docs/*.md', 'docs/TODO.md', true],
  ['.env.*', '.env.local', true],
  ['.env.*', '.env', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'ac', false],
  ['ab*ba', 'aba', false],
  ['*a*', 'b/a', false],
  ['*', 'anything', true],
  ['**', 'anything', true],
  ['', 'a', false],
])('%s fits %s: %s', (pattern, name, fits) => {
  expect(nameMatcher(pattern)(name)).toBe(fits);
});

it('ends soon for many stars', () => {
  expect(nameMatcher('*a'.repeat(60) + 'b')('a'.repeat(250))).toBe(false);
});
