import { describe, expect, it } from 'vitest';

import { LineStyles } from './line-styles.js';

const E = '\u001b';

describe('the style in which a line begins', () => {
  it('is that in which the line before it ended', () => {
    const styles = new LineStyles([
      `${E}[1;31mred`,
      'still',
      `${E}[22mthin${E}[48;5;196m`,
      `${E}[0mplain`,
      '',
    ]);
    expect([0, 1, 2, 3, 4].map((at) => styles.before(at))).toEqual([
      '',
      `${E}[1;31m`,
      `${E}[1;31m`,
      `${E}[31;48;5;196m`,
      '',
    ]);
  });

  it('is found for lines that come later', () => {
    const lines = [`${E}[38;2;1;2;3mown`];
    const styles = new LineStyles(lines);
    expect(styles.before(1)).toBe(`${E}[38;2;1;2;3m`);
    lines.push(`${E}[39m`, 'after');
    expect(styles.before(2)).toBe('');
  });

  it('is not changed by what is no colour', () => {
    expect(new LineStyles([`${E}[2K${E}[7m${E}[9;;m`, '']).before(1)).toBe('');
  });
});
