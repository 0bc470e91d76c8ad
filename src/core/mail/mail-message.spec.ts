import { describe, expect, it } from 'vitest';

import { isAddress, subjectLine } from './mail-message.js';

describe('an address', () => {
  it.each(['ann@example.com', "o'neil+gate@localhost", 'jürgen@bücher.example'])('may be %s', (text) => {
    expect(isAddress(text)).toBe(true);
  });

  it.each([
    'ann',
    'ann@',
    'a@b.example, c@d.example',
    'a@b.example;c@d.example',
    'Ann <ann@example.com>',
    'ann@example.com\r\nBcc: eve@example.com',
    'ann@example.com\0',
    `${'a'.repeat(320)}@example.com`,
  ])('may not be %j', (text) => {
    expect(isAddress(text)).toBe(false);
  });
});

describe('a subject', () => {
  it('stays in its line, whatever a name in it holds', () => {
    expect(subjectLine('Join A\r\nBcc: eve@example.com\u2028\0B')).toBe('Join A Bcc: eve@example.com B');
  });

  it('keeps other letters and directions', () => {
    expect(subjectLine('الفريق\u200f – 🏰 ')).toBe('الفريق\u200f – 🏰');
  });

  it('is shortened between characters', () => {
    const line = subjectLine('🏰'.repeat(300));
    expect([...line]).toHaveLength(200);
    expect(line.endsWith('🏰…')).toBe(true);
  });
});
