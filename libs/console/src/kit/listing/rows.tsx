import { Checkbox } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';

import { type Column, classOf } from './column.js';
import classes from './listing.module.css';
import { idsBetween } from './ids-between.js';
import { Row } from './row.js';
import { useColumnWidths } from './use-column-widths.js';
import { useDrawnRows } from './use-drawn-rows.js';

export interface Chosen<Item> {
  ids: readonly string[];
  onChange: (ids: string[]) => void;
  nameOf: (item: Item) => string;
  /** Without it all rows can be chosen. */
  mayBe?: (item: Item) => boolean;
}

interface RowsProps<Item extends { id: string }> {
  label: string;
  columns: Column<Item>[];
  chosen: Chosen<Item> | undefined;
  items: Item[];
}

/** The table of a list. Of a long one only the rows in view are drawn. */
export function Rows<Item extends { id: string }>({ label, columns, chosen, items }: RowsProps<Item>) {
  const table = useRef<HTMLTableElement>(null);
  const { isLong, drawn, above, below, measure } = useDrawnRows(items, table);
  const widths = useColumnWidths(table, isLong, columns);
  const ids = useMemo(() => new Set(chosen?.ids), [chosen?.ids]);
  const mayBe = chosen?.mayBe;
  const offered = useMemo(() => (mayBe ? items.filter(mayBe) : items), [items, mayBe]);
  const choose = useChoose(chosen, offered);
  const spanned = columns.length + (chosen ? 1 : 0);
  const space = (height: number) =>
    height > 0 && (
      <tr aria-hidden className={classes['space']}>
        <td colSpan={spanned} style={{ height }} />
      </tr>
    );

  return (
    <table
      ref={table}
      className={classes['table']}
      data-fixed={widths !== null || undefined}
      aria-label={label}
      aria-rowcount={items.length + 1}
    >
      <thead>
        <tr aria-rowindex={1}>
          {chosen && (
            <th className={classes['choice']} style={{ width: widths?.[0] }}>
              <Checkbox
                aria-label="Choose all that are shown"
                checked={ids.size > 0 && ids.size === offered.length}
                indeterminate={ids.size > 0 && ids.size < offered.length}
                disabled={offered.length === 0}
                onChange={({ currentTarget }) =>
                  chosen.onChange(currentTarget.checked ? offered.map(({ id }) => id) : [])
                }
              />
            </th>
          )}
          {columns.map((column, index) => (
            <th
              key={column.id}
              scope="col"
              className={classOf(column)}
              style={{ width: widths?.[index + spanned - columns.length] }}
            >
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {space(above)}
        {drawn.map((index) => {
          const item = items[index]!;
          return (
            <Row
              key={item.id}
              item={item}
              columns={columns}
              index={index}
              choice={chosen ? `Choose ${chosen.nameOf(item)}` : null}
              isOffered={mayBe?.(item) ?? true}
              isChosen={ids.has(item.id)}
              onChoose={choose}
              measure={measure}
            />
          );
        })}
        {space(below)}
      </tbody>
    </table>
  );
}

/** One function for as long as the list is there, so that a tick draws one row anew. */
function useChoose<Item extends { id: string }>(chosen: Chosen<Item> | undefined, offered: readonly Item[]) {
  const latest = useRef({ chosen, offered });
  useEffect(() => {
    latest.current = { chosen, offered };
  });
  const last = useRef<string | null>(null);
  const [choose] = useState(() => (id: string, isChosen: boolean, isRange: boolean): void => {
    const { chosen: { ids, onChange } = { ids: [], onChange: undefined }, offered: rows } = latest.current;
    const meant = new Set(isRange ? idsBetween(rows, last.current, id) : [id]);
    last.current = id;
    const others = ids.filter((other) => !meant.has(other));
    onChange?.(isChosen ? [...others, ...meant] : others);
  });
  return choose;
}
