import { stringifyJson } from './json.js';
import { bold } from '../terminal/colours.js';
import { escapedJson, plainText } from '../terminal/plain-text.js';
import { type JsonOptions, fieldsOf, wantsJson } from './fields.js';

/** A column of a list: its head, and what stands in it. */
export type Column<Item> = readonly [head: string, text: (item: Item) => string | number | null | undefined];

/** One thing: as JSON where that was asked for, otherwise as lines of names and values. */
export async function printOne<Item extends object>(
  item: Item,
  options: JsonOptions,
  columns: readonly Column<Item>[],
): Promise<void> {
  if (wantsJson(options)) return printAsJson(item, options);
  const width = Math.max(...columns.map(([head]) => head.length));
  for (const [head, text] of columns) {
    const value = text(item);
    if (value !== null && value !== undefined) {
      console.log(`${bold(head.padEnd(width), process.stdout)}  ${plainText(String(value))}`);
    }
  }
}

/** A list: as a JSON array, or as a table. Without a terminal, columns are parted by tabs and there is no head. */
export async function printList<Item extends object>(
  items: readonly Item[],
  options: JsonOptions,
  columns: readonly Column<Item>[],
): Promise<void> {
  if (wantsJson(options)) return printAsJson(items, options);
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

/** The fields that were asked for, of one thing or of each of a list, through the expression if there is one. */
export async function printAsJson(
  value: object | readonly object[],
  { json = true, jq }: JsonOptions,
): Promise<void> {
  const chosen = Array.isArray(value)
    ? value.map((item: object) => fieldsOf(item, json))
    : fieldsOf(value, json);
  if (jq === undefined) return printJson(chosen);
  const { printByJq } = await import('./print-by-jq.js');
  await printByJq(stringifyJson(chosen), jq);
}

/** In lines for a person, in one for a program. */
export function printJson(value: unknown, layout: 'line' | 'lines' = 'lines'): void {
  if (!process.stdout.isTTY) return console.log(stringifyJson(value));
  console.log(escapedJson(stringifyJson(value, layout === 'lines' ? 2 : undefined)));
}

const oneLine = (value: string | number | null | undefined): string =>
  plainText(String(value ?? '')).replace(/\s+/g, ' ');
