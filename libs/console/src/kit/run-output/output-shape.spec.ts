import { describe, expect, it } from 'vitest';

import { columnsOf, isNumeric, outputText, outputViews } from './output-shape.js';

describe('outputViews', () => {
  it.each([
    [
      [{ a: 1 }, { b: 2 }],
      ['table', 'tree', 'text'],
    ],
    [
      [{ a: 1 }, 2],
      ['tree', 'text'],
    ],
    [[{}], ['tree', 'text']],
    [[], ['tree', 'text']],
    [{ a: 1 }, ['tree', 'text']],
    ['a text', ['text']],
    [3, ['text']],
    [false, ['text']],
  ])('%j is shown as %j', (output, views) => {
    expect(outputViews(output)).toEqual(views);
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

  it('knows columns of numbers, in which some may be missing', () => {
    expect(['city', 'high', 'low', 'none'].map((name) => isNumeric(rows, name))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('outputText', () => {
  it('is text as it is, and JSON otherwise', () => {
    expect(outputText('a\nb')).toBe('a\nb');
    expect(outputText({ a: 1 })).toBe('{\n  "a": 1\n}');
  });
});
