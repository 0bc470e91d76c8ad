import type { ReactNode } from 'react';

import classes from './listing.module.css';

export interface Column<Item> {
  id: string;
  header: string;
  cell: (item: Item) => ReactNode;
  /** For numbers and times, which are easier to compare at the right edge. */
  align?: 'right';
  /** Left out where there is no room for it. */
  wideOnly?: boolean;
  /** On a phone it has a line of its own. */
  ownLine?: boolean;
}

export function classOf({ align, wideOnly, ownLine }: Column<never>): string {
  return [
    align === 'right' && classes['right'],
    wideOnly && classes['wideOnly'],
    ownLine && classes['ownLine'],
  ]
    .filter(Boolean)
    .join(' ');
}
