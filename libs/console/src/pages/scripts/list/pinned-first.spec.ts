import { describe, expect, it } from 'vitest';

import { pinnedFirst } from './pinned-first.js';

const page = (slugs: string[], nextCursor: string | null = null) => ({
  items: slugs.map((slug) => ({ slug })),
  nextCursor,
});

describe('pinnedFirst', () => {
  it('puts pinned scripts first, wherever they were found', () => {
    const pages = pinnedFirst([page(['a', 'b'], 'more'), page(['c'])], [{ slug: 'c' }, { slug: 'z' }]);
    expect(pages).toEqual([page(['c', 'z', 'a', 'b'], 'more'), page([])]);
  });

  it('changes nothing where nothing is pinned', () => {
    const pages = [page(['a'])];
    expect(pinnedFirst(pages, [])).toBe(pages);
  });
});
