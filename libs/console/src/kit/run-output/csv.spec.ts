import { describe, expect, it } from 'vitest';

import { parseCsv } from './csv.js';

describe('parseCsv', () => {
  it('reads quotes, separators and line ends within them', () => {
    expect(parseCsv('a,b\r\n"x, ""y""\nz",2\r\n')).toEqual([
      ['a', 'b'],
      ['x, "y"\nz', '2'],
    ]);
  });

  it.each([
    [
      'a;b\n1,5;2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['\ufeffa,b', [['a', 'b']]],
    ['', []],
    ['a,\n', [['a', '']]],
  ])('reads %j', (text, records) => {
    expect(parseCsv(text)).toEqual(records);
  });

  it('stops after so many records', () => {
    expect(parseCsv('a\nb\nc', 2)).toEqual([['a'], ['b']]);
  });
});
