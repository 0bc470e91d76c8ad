import { describe, expect, it } from 'vitest';

import { WrittenNumber, parseAsWritten } from './written-number.js';

const BIG = '12345678901234567890';
// As browsers do, and Node from its version 21 on.
const tellsSource = JSON.parse('1', (_, __, context?: { source?: string }) => context?.source) === '1';

describe('parseAsWritten', () => {
  it.skipIf(!tellsSource)('keeps a number that JavaScript would round, and writes it again', () => {
    const value = parseAsWritten(`{"a": [${BIG}, 1e400, 5]}`);
    expect(value).toEqual({ a: [new WrittenNumber(BIG), new WrittenNumber('1e400'), 5] });
    expect(JSON.stringify(value)).toBe(`{"a":[${BIG},1e400,5]}`);
  });

  it('reads what can be kept as JSON does', () => {
    const text = '{"id": "run_01m8123456789012345", "share": 0.25, "large": 1e3, "list": [null, true]}';
    expect(parseAsWritten(text)).toEqual(JSON.parse(text));
  });
});
