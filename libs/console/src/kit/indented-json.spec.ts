import { describe, expect, it } from 'vitest';

import { indentedJson } from './indented-json.js';

const VALUES = [
  {},
  [],
  '{"a": [1, {}]}',
  {
    id: 'evt_1',
    data: { list: [1, 'two', null, [true]], empty: {}, none: [], text: 'a "b" \\ {c}, [d]: e' },
  },
];

describe('indentedJson', () => {
  it.each(VALUES)('reads as the usual one does: %j', (value) => {
    expect(indentedJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  });

  it('keeps numbers as they were written', () => {
    expect(indentedJson('{"n":12345678901234567890.10,"e":1E400}')).toBe(
      '{\n  "n": 12345678901234567890.10,\n  "e": 1E400\n}',
    );
  });
});
