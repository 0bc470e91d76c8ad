import { describe, expect, it } from 'vitest';

import { ansiParts, plainLine } from './ansi-parts.js';

const E = '\u001b';

describe('ansiParts', () => {
  it('leaves a line without colours in one part', () => {
    expect(ansiParts('a <b>&amp; line')).toEqual([{ text: 'a <b>&amp; line' }]);
  });

  it('cuts at colours and styles', () => {
    expect(ansiParts(`${E}[31mred${E}[0m plain ${E}[1;4;94mbold${E}[0m`)).toEqual([
      { text: 'red', color: 'ansi-red' },
      { text: ' plain ' },
      { text: 'bold', color: 'ansi-bright-blue', bold: true, underline: true },
    ]);
  });

  it('keeps colours of its own as numbers', () => {
    expect(ansiParts(`${E}[38;2;1;2;3;48;5;196mx`)).toEqual([
      { text: 'x', color: 'rgb(1 2 3)', background: 'rgb(255 0 0)' },
    ]);
  });

  it('goes on in the style that was left', () => {
    expect(ansiParts('red', `${E}[1;31m`)).toEqual([{ text: 'red', color: 'ansi-red', bold: true }]);
  });

  it('shows the text of a link, not its address', () => {
    expect(ansiParts(`${E}]8;;https://evil.example/${E}\\click${E}]8;;${E}\\`)).toEqual([{ text: 'click' }]);
  });

  it('drops other sequences, and one that is cut off', () => {
    expect(ansiParts(`${E}[2Ka${E}[10;20Hb${E}[3`)).toEqual([{ text: 'a' }, { text: 'b' }]);
  });

  it('drops what shows nothing or turns the text around', () => {
    expect(ansiParts('a\u202eb\u0007c\td')).toEqual([{ text: 'abc\td' }]);
  });
});

describe('plainLine', () => {
  it.each([
    `${E}[31mred${E}[0m plain`,
    `${E}]8;;https://example.com/${E}\\red${E}]8;;${E}\\ plain`,
    `${E}[38;2;1;2;3mre${E}[1md${E}[2K plain`,
  ])('is the text that is shown of %j', (line) => {
    expect(plainLine(line)).toBe('red plain');
    expect(
      ansiParts(line)
        .map(({ text }) => text)
        .join(''),
    ).toBe('red plain');
  });
});
