import { describe, expect, it } from 'vitest';

import { outputText, outputViews } from './output-shape.js';
import { besides, columnsOf, tablesOf } from './output-tables.js';

describe('outputViews', () => {
  it.each([
    [
      [{ a: 1 }, { b: 2 }],
      ['table', 'chart', 'tree', 'text'],
    ],
    [
      [{ a: 1 }, 2],
      ['tree', 'text'],
    ],
    [[{}], ['tree', 'text']],
    [[], ['tree', 'text']],
    [{ a: 1 }, ['tree', 'text']],
    [{ a: 1, list: [{ b: 2 }] }, ['table', 'tree', 'text']],
    [{ list: [[{ b: 2 }]] }, ['tree', 'text']],
    ['a text', ['text']],
    [3, ['text']],
    [false, ['text']],
  ])('%j is shown as %j', (output, views) => {
    expect(outputViews(output)).toEqual(views);
  });
});

describe('what a script asks for', () => {
  const rows = [
    { city: 'Oslo', people: 3 },
    { city: 'Rome', people: 4 },
  ];

  it('comes first where the output can be shown so', () => {
    expect(outputViews(rows)).toEqual(['table', 'chart', 'tree', 'text']);
    expect(outputViews(rows, 'chart')).toEqual(['chart', 'table', 'tree', 'text']);
    expect(outputViews('# Title', 'markdown')).toEqual(['markdown', 'text']);
    expect(outputViews([1, 2], 'chart')).toEqual(['chart', 'tree', 'text']);
  });

  it('is left where it cannot', () => {
    expect(outputViews('a text', 'chart')).toEqual(['text']);
    expect(outputViews({ a: 'b' }, 'markdown')).toEqual(['tree', 'text']);
    expect(outputViews('x'.repeat(200_001), 'markdown')).toEqual(['text']);
  });
});

describe('a table', () => {
  const rows = [
    { city: 'Berlin', high: 3 },
    { high: null, low: -2, city: 'Paris' },
  ];

  it('has every name as a column', () => {
    expect(columnsOf(rows)).toEqual(['city', 'high', 'low']);
  });

  it('is each list of objects of an object, beside what else it has', () => {
    const output = { month: 'October', rows, none: [], more: [{ a: 1 }] };
    const tables = tablesOf(output);
    expect(tables).toEqual([
      { name: 'rows', rows },
      { name: 'more', rows: [{ a: 1 }] },
    ]);
    expect(besides(output, tables)).toEqual({ month: 'October', none: [] });
    expect(besides({ rows }, tables)).toBeNull();
    expect(besides(rows, tablesOf(rows))).toBeNull();
  });
});

describe('outputText', () => {
  it('is text as it is, and JSON otherwise', () => {
    expect(outputText('a\nb')).toBe('a\nb');
    expect(outputText({ a: 1 })).toBe('{\n  "a": 1\n}');
  });
});
