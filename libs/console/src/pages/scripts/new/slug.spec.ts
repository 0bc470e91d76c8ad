import { describe, expect, it } from 'vitest';

import { proposedSlug, slugProblem } from './slug.js';

describe('a proposed slug', () => {
  it.each([
    ['Weekly report', 'weekly-report'],
    ['  Übersicht: täglich!  ', 'ubersicht-taglich'],
    ['Straße & Söhne', 'strasse-sohne'],
    ['--a__b--', 'a-b'],
    ['ﬁne ²', 'fine-2'],
    ['報告', ''],
    ['x'.repeat(300), 'x'.repeat(100)],
    [`${'x'.repeat(99)} y`, 'x'.repeat(99)],
  ])('of %j is %j', (name, slug) => {
    expect(proposedSlug(name)).toBe(slug);
  });

  it('is one that the service takes', () => {
    for (const name of ['A', '9 lives', 'e\u0301te\u0301'])
      expect(slugProblem(proposedSlug(name))).toBeNull();
  });
});

describe('what is wrong with a slug', () => {
  it.each(['', 'Upper', '-first', 'under_score', 'ümlaut', 'a'.repeat(101)])('%j is refused', (slug) => {
    expect(slugProblem(slug)).toEqual(expect.any(String));
  });
});
