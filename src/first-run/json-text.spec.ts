import { describe, expect, it } from 'vitest';

import { jsonText } from './json-text.js';

describe('JSON for reading', () => {
  const value = {
    a: 1,
    list: [
      { x: 'one', y: null },
      { x: 'two "2"', y: [true] },
    ],
    empty: {},
    none: [],
  };

  it('keeps what fits on one line', () => {
    expect(jsonText({ a: 1, b: [1, 2] }, 80)).toBe('{ "a": 1, "b": [1, 2] }');
    expect(jsonText('text', 2)).toBe('"text"');
    expect(jsonText({}, 80)).toBe('{}');
  });

  it('breaks up what does not, and only that', () => {
    expect(jsonText(value, 40)).toBe(
      [
        '{',
        '  "a": 1,',
        '  "list": [',
        '    { "x": "one", "y": null },',
        '    { "x": "two \\"2\\"", "y": [true] }',
        '  ],',
        '  "empty": {},',
        '  "none": []',
        '}',
      ].join('\n'),
    );
  });

  it.each([1, 10, 20, 30, 60, 1000])('is the same JSON at a width of %i', (width) => {
    expect(JSON.parse(jsonText(value, width))).toEqual(value);
  });
});
