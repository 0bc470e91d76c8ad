import { describe, expect, it } from 'vitest';

import { firstToGiveWay } from './give-way.js';

const one = (owner: string, usedAt: number, memory: number) => ({ owner, usedAt, memory });
const byMemory = ({ memory }: { memory: number }): number => memory;

describe('what gives way first', () => {
  it('is the oldest of the owner that has the most', () => {
    const idle = [one('calm', 1, 50), one('busy', 3, 40), one('busy', 2, 30), one('busy', 4, 1)];
    expect(firstToGiveWay(idle, byMemory)).toBe(idle[2]);
    expect(firstToGiveWay(idle.slice(0, 2), byMemory)).toBe(idle[0]);
  });

  it('is the oldest of all where they have as much', () => {
    const idle = [one('one', 2, 50), one('other', 1, 40)];
    expect(firstToGiveWay(idle, () => 1)).toBe(idle[1]);
  });

  it('is nobody where nobody is idle', () => {
    expect(firstToGiveWay([], byMemory)).toBe(null);
  });
});
