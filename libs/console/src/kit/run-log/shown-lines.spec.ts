import { describe, expect, it } from 'vitest';

import { LOCALE } from '../locale.js';
import { ShownLines } from './shown-lines.js';

describe('ShownLines', () => {
  it('keeps lines with their numbers, which may jump', () => {
    const lines = new ShownLines();
    expect(lines.last).toBe(0);
    lines.add(1, 'a');
    lines.add(7, 'b', 1000);
    expect([lines.texts, lines.numbers, lines.times, lines.last]).toEqual([
      ['a', 'b'],
      [1, 7],
      [null, 1000],
      7,
    ]);
  });

  it('takes out the middle of a log that does not end', () => {
    const lines = new ShownLines();
    for (let number = 1; number <= 200_000; number++) {
      lines.add(number, `line ${number}`);
      expect(lines.texts.length).toBeLessThanOrEqual(20_000);
    }
    expect(lines.texts.slice(0, 2_000)).toEqual(
      Array.from({ length: 2_000 }, (_, index) => `line ${index + 1}`),
    );
    const gap = lines.texts.findIndex((text) => text.includes('not shown'));
    const missing = lines.numbers[gap + 1]! - lines.numbers[gap - 1]! - 1;
    expect(lines.texts[gap]).toBe(`[${missing.toLocaleString(LOCALE)} lines are not shown here any more]`);
    expect(lines.times).toHaveLength(lines.texts.length);
    expect(lines.numbers[gap]).toBe(lines.numbers[gap + 1]! - 1);
    expect(lines.texts.slice(gap + 1).at(-8_000)).toBe('line 192001');
    expect(lines.last).toBe(200_000);
  });
});
