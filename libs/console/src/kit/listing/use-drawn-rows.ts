import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useState } from 'react';

/** Of a list of up to so many rows all are there, where the browser's own search finds them. */
const ALL_DRAWN = 100;
/** About what a row takes, until it has been drawn. */
const ROW_PX = 37;
const OVERSCAN = 10;

/** Which rows of a list are drawn, and how much room those above and below take. */
export function useDrawnRows(items: readonly { id: string }[], table: RefObject<HTMLTableElement | null>) {
  const isLong = items.length > ALL_DRAWN;
  const top = useTop(table, isLong);
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    // Each measure has the browser lay out the page at once.
    enabled: isLong,
    count: items.length,
    // Another function would have all rows measured anew.
    getItemKey: useCallback((index: number) => items[index]!.id, [items]),
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: top,
    initialRect: { width: innerWidth, height: innerHeight },
  });
  if (!isLong) return { isLong, drawn: [...items.keys()], above: 0, below: 0, measure: null };
  const seen = rows.getVirtualItems();
  const last = seen.at(-1);
  return {
    isLong,
    drawn: seen.map(({ index }) => index),
    above: (seen[0]?.start ?? top) - top,
    below: last ? rows.getTotalSize() - (last.end - top) : 0,
    measure: rows.measureElement,
  };
}

/** How far below the page's top its first row is. */
function useTop(table: RefObject<HTMLTableElement | null>, isLong: boolean): number {
  const [top, setTop] = useState(0);
  // What stands above may have grown with anything.
  useLayoutEffect(() => {
    const body = isLong && table.current?.tBodies[0];
    if (body) setTop(Math.round(body.getBoundingClientRect().top + scrollY));
  });
  return top;
}
