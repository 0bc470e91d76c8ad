import { describe, expect, it } from 'vitest';

import { withGaps } from './log-lines.js';

const lines = (...numbers: number[]) => numbers.map((number) => ({ number, line: `line ${number}` }));

describe('withGaps', () => {
  it('leaves lines that follow each other as they are', () => {
    expect(withGaps(lines(3, 4, 5), 3, 10)).toEqual(lines(3, 4, 5));
    expect(withGaps([], 3, 10)).toEqual([]);
  });

  it('says what is missing, also at the beginning, with the number before the next line', () => {
    const [first, second, third] = withGaps(lines(3, 2004, 2005), 2, 10);
    expect(first).toEqual({
      number: 2,
      line: '[1 line was dropped here: a log keeps its first 2,000 lines and its last 8,000, 4 MiB in all]',
    });
    expect(second).toEqual(lines(3)[0]);
    expect(third).toMatchObject({
      number: 2003,
      line: expect.stringMatching(/^\[2,000 lines were dropped/) as unknown,
    });
  });

  it('gives no more than were asked for', () => {
    expect(withGaps(lines(0, 5, 6), 0, 2).map(({ number }) => number)).toEqual([0, 4]);
  });
});
