import { describe, expect, it } from 'vitest';

import { matchLines } from './match-lines.js';

describe('matchLines', () => {
  it('finds lines whatever their case and colours, with each place', () => {
    const lines = ['Took 12 ms and 3 ms', 'nothing', '\u001b[31mTOOK\u001b[0m 7 ms'];
    expect(matchLines({ pattern: 'took \\d|\\d+ ms$', lines })).toEqual({
      found: [
        [
          0,
          [
            [0, 6],
            [15, 19],
          ],
        ],
        [2, [[0, 6]]],
      ],
    });
  });

  it('finds lines of which nothing is to be marked', () => {
    expect(matchLines({ pattern: '^', lines: ['a', ''] })).toEqual({
      found: [
        [0, []],
        [1, []],
      ],
    });
  });

  it('says what is wrong with an expression', () => {
    expect(matchLines({ pattern: '(', lines: ['a'] })).toEqual({
      problem: expect.stringContaining('nterminated group') as unknown,
    });
  });
});
