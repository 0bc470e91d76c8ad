import { Checkbox } from '@mantine/core';
import { memo } from 'react';

import { type Column, classOf } from './column.js';
import classes from './listing.module.css';

export interface RowProps<Item extends { id: string }> {
  item: Item;
  columns: Column<Item>[];
  /** Its place in the whole list. */
  index: number;
  /** What its box is called: `Choose the run …`; null: it cannot be chosen. */
  choice: string | null;
  isOffered: boolean;
  isChosen: boolean;
  /** With Shift: all from the one that was chosen last. */
  onChoose: (id: string, isChosen: boolean, isRange: boolean) => void;
  /** null: nobody asks how high it is. */
  measure: ((row: HTMLTableRowElement | null) => void) | null;
}

/** Drawn again only when it changes itself, not each time that the list does. */
export const Row = memo(RowOf) as typeof RowOf;

function RowOf<Item extends { id: string }>(props: RowProps<Item>) {
  const { item, columns, index, choice, isOffered, isChosen, onChoose, measure } = props;
  return (
    <tr ref={measure} data-id={item.id} data-index={index} aria-rowindex={index + 2}>
      {choice !== null && (
        <td className={classes['choice']}>
          <Checkbox
            aria-label={choice}
            checked={isChosen}
            disabled={!isOffered}
            onChange={({ currentTarget, nativeEvent }) =>
              onChoose(item.id, currentTarget.checked, (nativeEvent as MouseEvent).shiftKey === true)
            }
          />
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} className={classOf(column)}>
          {column.cell(item)}
        </td>
      ))}
    </tr>
  );
}
