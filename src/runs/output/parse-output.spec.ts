import { describe, expect, it } from 'vitest';
import { parseOutput } from './parse-output.js';

const parse = (text: string | Buffer) => {
  const parsed = parseOutput(Buffer.from(text as string));
  if (parsed.kind === 'failure') return parsed;
  const { json, ...rest } = parsed;
  return { ...rest, output: JSON.parse(json) as unknown };
};

describe('parseOutput', () => {
  it.each<[string, unknown]>([
    ['', null],
    [' \n\r\n', null],
    ['null', null],
    ['{"a": 1}', { a: 1 }],
    ['\n  {\n  "a": [1, 2]\n}\n\n', { a: [1, 2] }],
    ['[1, "x"]\r\n', [1, 'x']],
    ['42\n', 42],
    ['"text"', 'text'],
    ['true', true],
    ['\ufeff{"a": 1}', { a: 1 }],
    ['{"__proto__": 1}', JSON.parse('{"__proto__": 1}')],
  ])('takes %j for JSON as a whole', (text, output) => expect(parse(text)).toEqual({ kind: 'json', output }));

  it.each<[string, unknown, string]>([
    ['log 1\nlog 2\n{"a": 1}\n', { a: 1 }, 'log 1\nlog 2\n'],
    ['log\r\n[1]\r\n\r\n', [1], 'log\r\n'],
    ['{"a": 1}\n{"a": 2}', { a: 2 }, '{"a": 1}\n'],
    ['[INFO] x\n  {"a": 1}  ', { a: 1 }, '[INFO] x\n'],
  ])('takes the last line of %j', (text, output, before) => {
    expect(parse(text)).toMatchObject({ kind: 'last-line', output, before });
  });

  it.each<[string, string]>([
    ['hello\n', 'hello'],
    [' two\nlines \n', 'two\nlines'],
    ['log\n42', 'log\n42'],
    ['log\n"text"', 'log\n"text"'],
    ['log\n{"a": 1', 'log\n{"a": 1'],
    ['{"a": 1}\nlog', '{"a": 1}\nlog'],
    ['True', 'True'],
    ['NaN', 'NaN'],
    ['a\0b', 'a\ufffdb'],
  ])('takes %j for text', (text, output) => expect(parse(text)).toEqual({ kind: 'text', output }));

  it('replaces bytes that are not UTF-8, and what PostgreSQL cannot keep', () => {
    expect(parse(Buffer.from([0x61, 0xff]))).toEqual({ kind: 'text', output: 'a\ufffd' });
    expect(parse('{"k\\u0000": ["\\u0000", "\\ud800", "\\ud83d\\ude00"]}')).toEqual({
      kind: 'json',
      output: { 'k\ufffd': ['\ufffd', '\ufffd', '😀'] },
    });
  });

  it.each(['12345678901234567890', '[1e400,-1e400]', '{"id":9007199254740993,"pi":3.14159265358979323846}'])(
    'keeps the numbers of %s as they are',
    (text) => {
      expect(parseOutput(Buffer.from(text))).toEqual({ kind: 'json', json: text });
      expect(parseOutput(Buffer.from(`log\n[${text}]`))).toMatchObject({ json: `[${text}]` });
    },
  );

  it('holds the limit of 1 MiB to the byte', () => {
    const most = 1024 * 1024;
    expect(parse('x'.repeat(most)).kind).toBe('text');
    expect(parse('x'.repeat(most + 1))).toEqual({
      kind: 'failure',
      error: expect.stringContaining('1 MiB (1048576 bytes)') as string,
    });
  });

  it('refuses output that is nested too deep, however it is written', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(parse(nested(100)).kind).toBe('json');
    expect(parse(nested(101))).toEqual({
      kind: 'failure',
      error: 'the output is nested more than 100 levels deep',
    });
    expect(parse(`log\n${nested(101)}`).kind).toBe('failure');
    expect(parse(nested(500_000)).kind).toBe('failure');
  });
});
