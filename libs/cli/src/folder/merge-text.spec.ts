import { describe, expect, it } from 'vitest';

import { hasMarks, mergeTexts, textOf } from './merge-text.js';

const BASE = 'one\ntwo\nthree\nfour\nfive\n';

describe('mergeTexts', () => {
  it('takes what each has changed elsewhere', () => {
    const [mine, theirs] = [BASE.replace('one', 'ONE'), BASE.replace('five\n', 'five\nsix\n')];
    expect(mergeTexts(mine, BASE, theirs, 'version 2')).toEqual({
      text: 'ONE\ntwo\nthree\nfour\nfive\nsix\n',
      hasMarks: false,
    });
  });

  it('marks what both have changed at the same lines', () => {
    const [mine, theirs] = [BASE.replace('three', 'mine'), BASE.replace('three', 'theirs')];
    const merged = mergeTexts(mine, BASE, theirs, 'version 2');
    expect(merged.text).toBe(
      'one\ntwo\n<<<<<<< this folder\nmine\n=======\ntheirs\n>>>>>>> version 2\nfour\nfive\n',
    );
    expect(merged.hasMarks && hasMarks(merged.text)).toBe(true);
  });

  it('takes the same change of both once', () => {
    const both = BASE.replace('three', 'both');
    expect(mergeTexts(both, BASE, both, 'version 2')).toEqual({ text: both, hasMarks: false });
  });

  it('marks each difference where nobody knows what both were made of', () => {
    const mine = BASE.replace('two\n', '');
    const theirs = BASE.replace('five\n', 'FIVE\n');
    expect(mergeTexts(mine, null, theirs, 'version 2').text).toBe(
      'one\n<<<<<<< this folder\n=======\ntwo\n>>>>>>> version 2\nthree\nfour\n' +
        '<<<<<<< this folder\nfive\n=======\nFIVE\n>>>>>>> version 2\n',
    );
    expect(mergeTexts(BASE, null, BASE, 'version 2')).toEqual({ text: BASE, hasMarks: false });
  });

  it('keeps the ends of lines, and a last line without one', () => {
    const mine = 'a\r\nb\r\nc';
    expect(mergeTexts(mine, mine, `${mine}\r\nd`, 'version 2').text).toBe('a\r\nb\r\nc\r\nd');
  });
});

describe('textOf', () => {
  it.each([
    ['with a null in it', Buffer.from('a\0b')],
    ['that are not UTF-8', Buffer.from([0x61, 0xff])],
    ['of more lines than are compared', Buffer.from('\n'.repeat(5_001))],
  ])('takes no bytes %s', (_, content) => expect(textOf(content)).toBeNull());

  it('gives text as it is', () => expect(textOf(Buffer.from('\ufeffä\n'))).toBe('\ufeffä\n'));
});

describe('hasMarks', () => {
  it.each(['a\n=======\nb\n', '<<<<<<< this folder\n', '# <<<<<<< this folder\n>>>>>>> version 2\n'])(
    'finds none in %j',
    (text) => expect(hasMarks(text)).toBe(false),
  );
});
