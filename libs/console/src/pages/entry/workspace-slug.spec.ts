import { describe, expect, it } from 'vitest';

import { slugOf } from './workspace-slug.js';

describe('The slug of a workspace', () => {
  it.each([
    ['Acme', 'acme'],
    ['Ana & Söhne GmbH', 'ana-sohne-gmbh'],
    ['  --Ops--  ', 'ops'],
    ['東京', ''],
    [`${'a'.repeat(49)} b`, 'a'.repeat(49)],
  ])('of %s is %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });
});
