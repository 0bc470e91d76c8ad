import { describe, expect, it } from 'vitest';

import { notRefused, notRefusedOf } from './answers.js';
import { lackingOf, resultOf, untriedOf, type Wall } from './wall.js';
import { WALLS } from './walls/index.js';

const wall: Wall = {
  name: 'a-wall',
  says: 'It holds.',
  cure: 'Mend it.',
  quick: true,
  attack: () => Promise.resolve([]),
};

describe('a wall', () => {
  it('is held where nothing was reached', () => {
    expect(resultOf(wall, [])).toEqual({
      name: 'a-wall',
      state: 'held',
      says: 'It holds.',
      found: null,
      cure: null,
    });
  });

  it('is not held where something was, and says what, and what to change', () => {
    expect(resultOf(wall, ['/etc/shadow', '/root'])).toMatchObject({
      state: 'not-held',
      found: '/etc/shadow; /root',
      cure: 'Mend it.',
    });
  });

  it('is not held where its attack could not be made', () => {
    expect(untriedOf(wall, new Error('no box'))).toMatchObject({
      state: 'not-held',
      found: 'it could not be tried: no box',
    });
  });

  it('cannot be here where the machine lacks something, with a cure of its own', () => {
    expect(lackingOf(wall, { found: 'no cgroup', cure: 'Delegate one.' })).toMatchObject({
      state: 'cannot-be-here',
      found: 'no cgroup',
      cure: 'Delegate one.',
    });
  });

  it('repeats what a box has said as one line that ends', () => {
    const { found } = resultOf(wall, [`a\n\u001b[31mheld  b\u202e${'c'.repeat(10_000)}`]);
    expect(found).toMatch(/^a \[31mheld {2}b c+ …$/);
    expect(found!.length).toBeLessThan(500);
  });
});

describe('answers', () => {
  it('count as refused only if they say so', () => {
    expect(notRefused({ one: 'EPERM', other: 'done: 0', third: 'EPERMX' }, /^EPERM$/)).toEqual([
      'other: done: 0',
      'third: EPERMX',
    ]);
  });

  it('that are missing are no refusals', () => {
    expect(notRefusedOf(['one', 'other'], ['EPERM'], /^EPERM$/)).toEqual(['other: no answer']);
  });
});

describe('the walls', () => {
  it('have names of their own, and say what to change', () => {
    expect(new Set(WALLS.map(({ name }) => name)).size).toBe(WALLS.length);
    for (const { name, says, cure } of WALLS) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      for (const text of [says, cure]) expect(text, name).toMatch(/^[A-Z].*\.$/);
    }
  });
});
