import { bold } from '../terminal/colours.js';
import { plainText } from '../terminal/plain-text.js';
import { type JsonOption, fieldsOf } from './fields.js';

/** A column of a list: its head, and what stands in it. */
export type Column<Item> = readonly [head: string, text: (item: Item) => string | number | null | undefined];

/** One thing: as JSON where that was asked for, otherwise as lines of names and values. */
export function printOne<Item extends object>(
  item: Item,
  json: JsonOption,
  columns: readonly Column<Item>[],
): void {
  if (json !== undefined) return printJson(fieldsOf(item, json));
  const width = Math.max(...columns.map(([head]) => head.length));
  for (const [head, text] of columns) {
    const value = text(item);
    if (value !== null && value !== undefined) {
      console.log(`${bold(head.padEnd(width), process.stdout)}  ${plainText(String(value))}`);
    }
  }
}

/** A list: as a JSON array, or as a table. Without a terminal, columns are parted by tabs and there is no head. */
export function printList<Item extends object>(
  items: readonly Item[],
  json: JsonOption,
  columns: readonly Column<Item>[],
): void {
  if (json !== undefined) return printJson(items.map((item) => fieldsOf(item, json)));
  const rows = items.map((item) => columns.map(([, text]) => oneLine(text(item))));
  if (!process.stdout.isTTY) {
    for (const row of rows) console.log(row.join('\t'));
    return;
  }
  if (items.length === 0) return console.error('There are none.');
  const heads = columns.map(([head]) => head.toUpperCase());
  const widths = heads.map((head, place) => Math.max(head.length, ...rows.map((row) => row[place]!.length)));
  const line = (cells: string[]): string =>
    cells
      .map((cell, place) => (place === cells.length - 1 ? cell : cell.padEnd(widths[place]!)))
      .join('  ')
      .trimEnd();
  console.log(bold(line(heads), process.stdout));
  for (const row of rows) console.log(line(row));
}

export function printJson(value: unknown): void {
  console.log(JSON.stringify(value, null, process.stdout.isTTY ? 2 : undefined));
}

const oneLine = (value: string | number | null | undefined): string =>
  plainText(String(value ?? '')).replace(/\s+/g, ' ');
