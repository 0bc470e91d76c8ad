import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';

interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

/** The same list with only those of its items that `keeps` says. */
export function narrowed<Item, Failure>(
  query: UseInfiniteQueryResult<InfiniteData<Page<Item>>, Failure>,
  keeps: (item: Item) => boolean,
): UseInfiniteQueryResult<InfiniteData<Page<Item>>, Failure> {
  if (!query.data) return query;
  const pages = query.data.pages.map((page) => ({ ...page, items: page.items.filter(keeps) }));
  return { ...query, data: { ...query.data, pages } };
}
