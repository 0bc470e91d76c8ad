import type { InfiniteData } from '@tanstack/react-query';

export interface Page {
  items: { id: string }[];
  nextCursor: string | null;
}

/** Of a list that grows for hours only so much is drawn. */
const MOST_PUSHED = 500;

/**
 * A list whose first page was read again: what it has pushed down stands at the top of the second. Where so much is new that
 * nothing of the list is left on the page, the list begins anew: what lies between is not known. So it does where the page is
 * all that there is, and where too much was pushed down.
 */
export function withFirstPage(data: InfiniteData<Page>, first: Page): InfiniteData<Page> {
  const [old, second, ...rest] = data.pages;
  const shown = new Set(first.items.map(({ id }) => id));
  const known = new Set(data.pages.flatMap(({ items }) => items.map(({ id }) => id)));
  const overlaps = first.items.some(({ id }) => known.has(id));
  const anew = { pages: [first], pageParams: data.pageParams.slice(0, 1) };
  if (!old || !second || !overlaps || first.nextCursor === null) return anew;
  const last = first.items.at(-1)!.id;
  const isBelow = ({ id }: { id: string }): boolean => id < last && !shown.has(id);
  const items = [...old.items, ...second.items].filter(isBelow);
  if (items.length > MOST_PUSHED) return anew;
  return { ...data, pages: [first, { ...second, items }, ...rest] };
}
