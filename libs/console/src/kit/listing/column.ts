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
  /** What can be done with the row: see `kit/row-acts`. */
  isActs?: boolean;
}

export function classOf({ align, wideOnly, ownLine, isActs }: Column<never>): string {
  return [
    align === 'right' && classes['right'],
    wideOnly && classes['wideOnly'],
    ownLine && classes['ownLine'],
    isActs && classes['acts'],
  ]
    .filter(Boolean)
    .join(' ');
}
