import { describe, expect, it } from 'vitest';

import { processorTime } from '../fuzz/index.js';
import { isExact, isExactEnough } from './exact-number.js';
import { parseExactly, stringifyExactly } from './exact-json.js';
import { scanJson } from './scan-json.js';

describe('isExact', () => {
  it.each([
    ...['0', '-0', '0.0', '1', '-1', '0.1', '1.0', '1.10', '100', '1e5', '1E+5', '1e22', '123e-20'],
    ...['9007199254740991', '-9007199254740991', '9007199254740992', '9007199254740994'],
    ...['10000000000000000000000', '1.7976931348623157e308', '5e-324', '2.2250738585072014e-308'],
    ...[
      '0e400',
      '0.30000000000000004',
      '3.141592653589793',
      '0.10000000000000000000',
      '123456789012345680000',
    ],
  ])('is true for %s', (literal) => expect([isExact(literal), isExactEnough(literal)]).toEqual([true, true]));

  it.each([
    ...['9007199254740993', '-9007199254740993', '36028797018963968', '12345678901234567890'],
    ...['1e400', '-1e400', '1E309', '1e-400', '123456789e-340', '2e-324', '0.1234567890123456789'],
    ...['3.14159265358979323846', '12345678901234567890e3', `${'9'.repeat(400)}`, '1e99999999999999999999'],
  ])('is false for %s', (literal) =>
    expect([isExact(literal), isExactEnough(literal)]).toEqual([false, false]),
  );

  it.each(['0.10000000000000001', '1.2345678901234567e-7', '0.29999999999999999', '4.9e-324'])(
    'takes %s for the double that it stands for where that is enough',
    (literal) => expect([isExact(literal), isExactEnough(literal)]).toEqual([false, true]),
  );
});

describe('scanJson', () => {
  it('counts levels and values, and finds numbers outside of texts', () => {
    const text = '{"a\\\\": [1, 9007199254740993, {"b": "1e400 [[[ \\" 1e400"}], "c": -1e400}';
    const { depth, values, inexact } = scanJson(text, { mostInexact: 9 });
    expect(depth).toBe(3);
    expect(values).toBeGreaterThanOrEqual(7);
    expect(inexact).toEqual([text.indexOf('9007'), text.indexOf('-1e400')]);
  });

  it('is as quick with hostile text as with any other', async () => {
    for (const part of ['1', '\\', '"', '[', '1e5,', '1234567890123456,', '"\\"', '-', '\\"', '1e', ',']) {
      const text = part.repeat(1_048_576 / part.length);
      const time = await processorTime(() => {
        scanJson(text);
        scanJson(`"${text}`);
      });
      expect(time).toBeLessThan(5_000);
    }
  });
});

describe('parseExactly and stringifyExactly', () => {
  it.each([
    '[9007199254740993,1e400,-1E-400,0.1,"1e400",{"a":12345678901234567890123}]',
    '12345678901234567890',
    '{"__proto__":1e400}',
  ])('keep %s', (text) => expect(stringifyExactly(parseExactly(text))).toBe(text));

  it('keep numbers as they are written', () => {
    const text = '[1.0,-0,1e5,1.50,7,"1.0",0.1]';
    expect(stringifyExactly(parseExactly(text, { asWritten: true }))).toBe(text);
    expect(stringifyExactly(parseExactly(text))).toBe('[1,0,100000,1.5,7,"1.0",0.1]');
  });

  it('keep them in lines', () => {
    expect(stringifyExactly(parseExactly('{"a":[1e400]}'), 2)).toBe('{\n  "a": [\n    1e400\n  ]\n}');
  });

  it.each([
    '192.168.100.2001',
    '12345678901234567890-12',
    '[2024-01-02-03-04-05-06]',
    '01234567890123456789',
    '1e400x',
  ])('take %s for no JSON', (text) => expect(() => parseExactly(text)).toThrow(SyntaxError));

  it('make a text of a number that was masked', () => {
    const [number] = parseExactly('[12345678901234567890]') as [string];
    expect(stringifyExactly([number.replace('1234567890', '***')])).toBe('["***1234567890"]');
  });
});
