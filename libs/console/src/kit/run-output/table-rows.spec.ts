import { describe, expect, it } from 'vitest';

import { isNumeric, matching, readableNumber, sorted, toCsv } from './table-rows.js';

const ROWS = [
  ['Berlin', '3'],
  ['', '20'],
  ['aachen', 'null'],
  ['Paris 10', '-1.5'],
  ['Paris 9', '4'],
];
const first = (rows: readonly (readonly string[])[]): string[] => rows.map(([city]) => city!);

describe('rows of a table', () => {
  it('are sorted as text and as numbers, what is empty last', () => {
    const up = sorted(ROWS, { column: 0, isDescending: false }, false);
    expect(first(up)).toEqual(['aachen', 'Berlin', 'Paris 9', 'Paris 10', '']);
    const down = sorted(ROWS, { column: 1, isDescending: true }, true);
    expect(first(down)).toEqual(['', 'Paris 9', 'Berlin', 'Paris 10', 'aachen']);
  });

  it('are found by any of their cells', () => {
    expect(first(matching(ROWS, ' PARIS '))).toEqual(['Paris 10', 'Paris 9']);
    expect(matching(ROWS, '')).toBe(ROWS);
  });

  it('have columns of numbers', () => {
    expect([0, 1, 2].map((column) => isNumeric(ROWS, column))).toEqual([false, true, false]);
  });
});

describe('readableNumber', () => {
  it.each([
    ['1284301.50', 'total', '1,284,301.50'],
    ['-20000', 'change', '-20,000'],
    ['12345678901234567890', 'bytes', '12,345,678,901,234,567,890'],
    ['2026', 'month', '2026'],
    ['20481', 'order_id', '20481'],
    ['20481', 'orderId', '20481'],
    ['20260101', 'Year', '20260101'],
    ['1e9', 'count', '1e9'],
    ['Berlin', 'city', 'Berlin'],
  ])('of %s in %s is %s', (text, column, expected) => {
    expect(readableNumber(text, column)).toBe(expected);
  });
});

describe('toCsv', () => {
  it('quotes each field, and no spreadsheet calculates it', () => {
    const rows = [
      ['a, "b"\nc', '-1.5'],
      ['=1+1', '-x'],
      [';=cmd', 'x;=cmd'],
    ];
    expect(toCsv(['name', 'value'], rows)).toBe(
      `"name","value"\r\n"a, ""b""\nc","-1.5"\r\n"'=1+1","'-x"\r\n"';=cmd","x;=cmd"\r\n`,
    );
  });
});
