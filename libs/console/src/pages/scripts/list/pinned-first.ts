interface HasSlug {
  slug: string;
}

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** The pages with the pinned scripts at their beginning, each once; `pinned` may hold some that no page has yet. */
export function pinnedFirst<Item extends HasSlug>(pages: Page<Item>[], pinned: Item[]): Page<Item>[] {
  if (pinned.length === 0) return pages;
  const slugs = new Set(pinned.map(({ slug }) => slug));
  return pages.map((page, index) => {
    const others = page.items.filter(({ slug }) => !slugs.has(slug));
    return { ...page, items: index === 0 ? [...pinned, ...others] : others };
  });
}
