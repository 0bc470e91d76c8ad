import { describe, expect, it } from 'vitest';

import { plainTextOf, searchOf, wordsOf } from './search-words.js';

const ID = 'run_01k7q3v5yzf8c9m2n4p6r8t0vw';

describe('wordsOf', () => {
  it('cuts at all but letters and digits, and has each word once', () => {
    expect(wordsOf(['Größe-42, foo_bar foo', 'FOO\u{1d7d8}'])).toEqual(['größe', '42', 'foo', 'bar', 'foo0']);
    expect(wordsOf(['', ' — '])).toEqual([]);
  });

  it('keeps ids whole, unless they are a part of more', () => {
    expect(wordsOf([`see ${ID}.`, `x${ID}`, `${ID}0`])).toEqual([
      'see',
      ID,
      `x${ID}`,
      'run',
      `${ID.slice(4)}0`,
    ]);
  });

  it('is bounded', () => {
    expect(wordsOf([Array.from({ length: 5_000 }, (_, n) => `w${n}`).join(' ')])).toHaveLength(1_000);
    expect(wordsOf(['x'.repeat(300)])).toEqual(['x'.repeat(64)]);
  });
});

describe('plainTextOf', () => {
  it('has the texts of JSON as they are meant, and its numbers as they are written', () => {
    const json = JSON.stringify({ 'a"b': ['line\nbreak', 'tab\\t', 'é'] });
    expect(wordsOf([plainTextOf(json)])).toEqual(['a', 'b', 'line', 'break', 'tab', 't', 'é']);
    expect(wordsOf([plainTextOf('{"n":12345678901234567890}')])).toEqual(['n', '12345678901234567890']);
  });
});

describe('searchOf', () => {
  it('wants all words, or what begins so', () => {
    expect(searchOf('Acme  q-981')).toBe(`'acme':* & 'q' & '981':*`);
    expect(searchOf(ID.toUpperCase())).toBe(`'${ID}'`);
    expect(searchOf('x'.repeat(100))).toBe(`'${'x'.repeat(64)}':*`);
  });

  it.each(['', ' ', `'":*&|!()<->\\`, 'a b c d e f g h i'])('finds nothing to look for in %j', (text) => {
    expect(searchOf(text)).toBeNull();
  });

  it('leaves nothing that has a meaning to PostgreSQL', () => {
    for (let code = 1; code < 0x3000; code++) {
      const search = searchOf(`a${String.fromCharCode(code)}b`)!;
      expect(search).toMatch(/^'[^'\\:&|!()<>*\s]+'(:\*)?( & '[^'\\:&|!()<>*\s]+'(:\*)?)*$/);
    }
  });
});
