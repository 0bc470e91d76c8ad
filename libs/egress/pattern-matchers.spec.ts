import { describe, expect, it } from 'vitest';
import { rounds } from '../fuzz/index.js';
import type { PatternMatcher } from './pattern-matcher.js';
import { PatternTable } from './pattern-table.js';
import { PatternTrie } from './pattern-trie.js';
import { PatternWalk } from './pattern-walk.js';

/** A repeatable source of numbers below a bound. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

function word(roll: (below: number) => number, letters: string, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => letters[roll(letters.length)]).join(''));
}

/** As the definition has it. */
function expected(patterns: readonly Buffer[], text: Buffer): [number, number][] {
  const found: [number, number][] = [];
  for (let end = 1; end <= text.length; end++) {
    const lengths = patterns
      .filter((one) => one.length <= end && text.subarray(end - one.length, end).equals(one))
      .map(({ length }) => length);
    if (lengths.length > 0) found.push([end, Math.max(...lengths)]);
  }
  return found;
}

function found(matcher: PatternMatcher, chunks: readonly Buffer[]): [number, number][] {
  const matches: [number, number][] = [];
  let state = 0;
  let before = 0;
  for (const chunk of chunks) {
    state = matcher.read(chunk, state, (end, length) => matches.push([before + end, length]));
    before += chunk.length;
  }
  return matches;
}

function cut(text: Buffer, roll: (below: number) => number, most: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < text.length;) {
    const size = 1 + roll(most);
    chunks.push(text.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

const longestOf = (patterns: readonly Buffer[]): number => Math.max(...patterns.map(({ length }) => length));

describe.each<[string, (patterns: Buffer[]) => PatternMatcher]>([
  ['PatternTable', (patterns) => PatternTable.of(new PatternTrie(patterns), longestOf(patterns))!],
  ['PatternWalk', (patterns) => new PatternWalk(new PatternTrie(patterns))],
  ['PatternWalk with few rows', (patterns) => new PatternWalk(new PatternTrie(patterns), 3)],
])('%s', (_name, matcherOf) => {
  it.each([1, 2, 3])('finds what there is in random texts, wherever they are cut (%i)', (seed) => {
    const roll = dice(seed);
    for (let round = 0; round < rounds(60); round++) {
      const letters = ['ab', 'abc', 'abcdefgh'][roll(3)]!;
      const patterns = Array.from({ length: 1 + roll(8) }, () => word(roll, letters, 1 + roll(9)));
      const unique = [...new Map(patterns.map((one) => [String(one), one])).values()];
      const text = word(roll, letters, 300);
      const matcher = matcherOf(unique);
      const all = expected(unique, text);
      expect(found(matcher, [text])).toEqual(all);
      expect(found(matcher, cut(text, roll, 20))).toEqual(all);
    }
  });

  it('finds it in large pieces too', () => {
    const roll = dice(4);
    const patterns = Array.from({ length: 6 }, () => word(roll, 'abcd', 8 + roll(40)));
    const matcher = matcherOf(patterns);
    for (let round = 0; round < rounds(40); round++) {
      const text = word(roll, 'abcd', 3_000 + roll(9_000));
      for (let count = roll(3); count > 0; count--) {
        const one = patterns[roll(6)]!;
        one.copy(text, roll(text.length - one.length));
      }
      expect(found(matcher, cut(text, roll, 6_000))).toEqual(expected(patterns, text));
    }
  });

  it('takes every byte', () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    expect(found(matcherOf([all, Buffer.from([0, 255])]), [Buffer.concat([all, all])])).toEqual([
      [256, 256],
      [512, 256],
    ]);
  });
});

describe('PatternTrie', () => {
  it('takes patterns that begin, end or lie within one another, in any order', () => {
    const texts = ['abcd', 'abc', 'abcde', 'bc', 'c', 'abx', 'ab', 'cde'];
    for (const order of [texts, [...texts].reverse(), [...texts].sort()]) {
      const patterns = order.map((text) => Buffer.from(text));
      const text = Buffer.from('abcdexabxbccdeabcde');
      expect(found(new PatternWalk(new PatternTrie(patterns)), [text])).toEqual(expected(patterns, text));
    }
  });
});
