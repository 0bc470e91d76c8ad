import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';

/**
 * How wide the columns of a long list are, as shares of its width. They are kept, since other rows in view would make them
 * others. Null: as wide as what stands in them wants.
 */
export function useColumnWidths(
  table: RefObject<HTMLTableElement | null>,
  isLong: boolean,
  columns: unknown,
) {
  const [widths, setWidths] = useState<string[] | null>(null);
  useEffect(() => {
    const forget = (): void => setWidths(null);
    addEventListener('resize', forget);
    return () => removeEventListener('resize', forget);
  }, []);
  useLayoutEffect(() => setWidths(null), [columns, isLong]);
  useLayoutEffect(() => {
    if (isLong && widths === null && table.current) setWidths(sharesOf(table.current));
  }, [isLong, widths, table]);
  return isLong ? widths : null;
}

function sharesOf(table: HTMLTableElement): string[] {
  const all = table.offsetWidth;
  return [...table.rows[0]!.cells].map(({ offsetWidth }) => `${(100 * offsetWidth) / all}%`);
}
