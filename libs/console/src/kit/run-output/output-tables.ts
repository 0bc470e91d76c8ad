import { isJsonObject } from '../json-object.js';
import { WrittenNumber } from './written-number.js';

export type Row = Record<string, unknown>;

/** A list of objects within an output. */
export interface OutputTable {
  /** The member that it is of; null: it is the whole output. */
  name: string | null;
  rows: Row[];
}

const MOST_TABLES = 20;

/** A list of objects is a table, and so is one that is a member of an object. */
export function tablesOf(output: unknown): OutputTable[] {
  if (isTable(output)) return [{ name: null, rows: output }];
  if (!isRow(output)) return [];
  return Object.entries(output)
    .flatMap(([name, rows]) => (isTable(rows) ? [{ name, rows }] : []))
    .slice(0, MOST_TABLES);
}

/** What an object has besides its tables; null: nothing. */
export function besides(output: unknown, tables: readonly OutputTable[]): Row | null {
  if (!isRow(output)) return null;
  const names = new Set(tables.map(({ name }) => name));
  const rest = Object.entries(output).filter(([name]) => !names.has(name));
  return rest.length > 0 ? Object.fromEntries(rest) : null;
}

/** The names that any of the rows has, in the order in which they first appear. */
export function columnsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** A value in a cell or a line. */
export function shortText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isTable(value: unknown): value is Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRow);
}

export function isRow(value: unknown): value is Row {
  return isJsonObject(value) && !(value instanceof WrittenNumber) && Object.keys(value).length > 0;
}
