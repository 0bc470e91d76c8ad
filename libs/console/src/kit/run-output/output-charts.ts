import { type Row, columnsOf, isRow, shortText, tablesOf } from './output-tables.js';
import { isNumeric, isOfNames } from './table-rows.js';

/** Numbers of an output, drawn side by side. */
export interface OutputChart {
  /** The member that it is of; null: it is the whole output. */
  name: string | null;
  /** Below each place. */
  labels: string[];
  series: { name: string; values: (number | null)[] }[];
  /** How many rows there are, of which the first are drawn. */
  rows: number;
}

const MOST_ROWS = 400;
const MOST_SERIES = 4;
const MOST_CHARTS = 5;

/** Of each table that has numbers, of a list of numbers, or of an object whose members are numbers. */
export function chartsOf(output: unknown): OutputChart[] {
  const tables = tablesOf(output);
  if (tables.length > 0)
    return tables.flatMap(({ name, rows }) => chartOf(name, rows) ?? []).slice(0, MOST_CHARTS);
  const chart = chartOf(null, rowsOf(output));
  return chart ? [chart] : [];
}

/** A list or an object of numbers as rows. */
function rowsOf(output: unknown): Row[] {
  if (Array.isArray(output) && output.every((value) => typeof value === 'number')) {
    return output.map((value) => ({ value }));
  }
  if (!isRow(output) || Object.values(output).some((value) => typeof value !== 'number')) return [];
  return Object.entries(output).map(([name, value]) => ({ name, value }));
}

function chartOf(name: string | null, all: readonly Row[]): OutputChart | null {
  const rows = all.slice(0, MOST_ROWS);
  if (rows.length < 2) return null;
  const columns = columnsOf(rows);
  const cells = rows.map((row) => columns.map((column) => shortText(row[column])));
  const numeric = columns.flatMap((_, at) => (isNumeric(cells, at) ? [at] : []));
  const labelled = labelOf(columns, numeric);
  const amounts = numeric.filter((at) => at !== labelled && !isOfNames(columns[at]!)).slice(0, MOST_SERIES);
  if (amounts.length === 0) return null;
  return {
    name,
    labels: cells.map((row, place) => (labelled === null ? String(place + 1) : (row[labelled] ?? ''))),
    series: amounts.map((at) => ({
      name: columns[at]!,
      values: cells.map((row) => numberOf(row[at] ?? '')),
    })),
    rows: all.length,
  };
}

/** The column that says what a row is of: the first of words, or of numbers that name something, or of all; null: there is one alone. */
function labelOf(columns: readonly string[], numeric: readonly number[]): number | null {
  const words = columns.findIndex((_, at) => !numeric.includes(at));
  if (words !== -1) return words;
  const names = columns.findIndex(isOfNames);
  if (names !== -1) return names;
  return columns.length > 1 ? 0 : null;
}

function numberOf(text: string): number | null {
  return text === '' || text === 'null' || !Number.isFinite(Number(text)) ? null : Number(text);
}
