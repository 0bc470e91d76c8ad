import { isJsonObject } from '../json-object.js';
import { WrittenNumber } from './written-number.js';

export type Row = Record<string, unknown>;

export type OutputView = 'table' | 'tree' | 'text';

/** What an output is shown as first, and what else it can be shown as. */
export function outputViews(output: unknown): OutputView[] {
  if (rowsOf(output)) return ['table', 'tree', 'text'];
  if (output instanceof WrittenNumber) return ['text'];
  if (typeof output === 'object' && output !== null) return ['tree', 'text'];
  return ['text'];
}

/** A list of objects is a table. */
export function rowsOf(output: unknown): Row[] | null {
  if (!Array.isArray(output) || output.length === 0) return null;
  return output.every(isRow) ? output : null;
}

/** The names that any of the rows has, in the order in which they first appear. */
export function columnsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** Columns of numbers are easier to compare at their right edge. */
export function isNumeric(rows: readonly Row[], column: string): boolean {
  const values = rows.map((row) => row[column]).filter((value) => value !== null && value !== undefined);
  return (
    values.length > 0 && values.every((value) => typeof value === 'number' || value instanceof WrittenNumber)
  );
}

/** A value in a cell or a line. */
export function shortText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** An output as it is copied: text as it is, anything else as JSON. */
export function outputText(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output, null, 2);
}

function isRow(value: unknown): value is Row {
  return isJsonObject(value) && !(value instanceof WrittenNumber) && Object.keys(value).length > 0;
}
