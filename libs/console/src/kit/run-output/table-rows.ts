import { DECIMAL_POINT, LOCALE } from '../locale.js';

/** The text of each cell. */
export type TextRow = readonly string[];

export interface Sorting {
  column: number;
  isDescending: boolean;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Spreadsheets take what begins so for a formula. */
const FORMULA = /^[=+\-@;\t\r]/;
/** From here on digits are read in groups. */
const GROUPED_FROM = 10_000;
/** These name something, and are never read aloud as an amount. */
const NAMES = /(?:^|[_\s-])(?:id|no|number|code|year|zip|phone)$|Id$/i;

/** Whether the numbers of a column name something, rather than say how much. */
export function isOfNames(column: string): boolean {
  return NAMES.test(column);
}

/** Whether some cell of a column has a number, and each other one is empty. */
export function isNumeric(rows: readonly TextRow[], column: number): boolean {
  const texts = rows.map((row) => row[column] ?? '').filter((text) => text !== '' && text !== 'null');
  return texts.length > 0 && texts.every((text) => NUMBER.test(text));
}

export function matching(rows: readonly TextRow[], words: string): readonly TextRow[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return rows;
  return rows.filter((row) => row.some((text) => text.toLowerCase().includes(wanted)));
}

/** What is empty comes last, either way. */
export function sorted(
  rows: readonly TextRow[],
  { column, isDescending }: Sorting,
  asNumbers: boolean,
): readonly TextRow[] {
  const compare = asNumbers
    ? (one: string, other: string) => Number(one) - Number(other)
    : new Intl.Collator(undefined, { numeric: true }).compare;
  const textOf = (row: TextRow): string => (row[column] === 'null' ? '' : (row[column] ?? ''));
  return rows.toSorted((one, other) => {
    const [a, b] = [textOf(one), textOf(other)];
    if (a === '' || b === '') return Number(a === '') - Number(b === '');
    return isDescending ? compare(b, a) : compare(a, b);
  });
}

/** A number as the reader writes it, in groups of digits where it is long. None of them is lost. */
export function readableNumber(text: string, column: string): string {
  if (!NUMBER.test(text) || /e/i.test(text) || isOfNames(column)) return text;
  const [whole, fraction] = text.split('.', 2) as [string, string?];
  const isLong = Math.abs(Number(text)) >= GROUPED_FROM;
  const grouped = isLong ? BigInt(whole).toLocaleString(LOCALE) : whole;
  return fraction === undefined ? grouped : `${grouped}${DECIMAL_POINT}${fraction}`;
}

/**
 * As RFC 4180 says, all quoted. What a spreadsheet would take for a formula begins with an apostrophe, as does a semicolon, behind which
 * some begin a cell.
 */
export function toCsv(columns: readonly string[], rows: readonly TextRow[]): string {
  const field = (text: string): string => {
    const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
    return `"${safe.replaceAll('"', '""')}"`;
  };
  return [columns, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}
