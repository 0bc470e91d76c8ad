import { describe, expect, it } from 'vitest';

import { FairQueue } from './fair-queue.js';

function drained(queue: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let next = queue.shift(); next; next = queue.shift()) items.push(next.item);
  return items;
}

describe('FairQueue', () => {
  it('lets owners take turns, each in its own order', () => {
    const queue = new FairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) queue.push(item[0]!, item);
    expect(queue.size).toBe(6);
    expect(queue.sizeOf('a')).toBe(3);
    expect(drained(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
    expect(queue.size).toBe(0);
  });

  it('gives who comes later a turn before a crowd', () => {
    const queue = new FairQueue<string>();
    for (let n = 0; n < 100; n++) queue.push('a', `a${n}`);
    queue.shift();
    queue.push('b', 'b0');
    expect([queue.shift()!.item, queue.shift()!.item]).toEqual(['a1', 'b0']);
  });

  it('forgets what is taken back', () => {
    const queue = new FairQueue<string>();
    queue.push('a', 'a1');
    queue.push('a', 'a2');
    expect(queue.remove('a', 'a1')).toBe(true);
    expect(queue.remove('a', 'a1')).toBe(false);
    expect(queue.remove('b', 'b1')).toBe(false);
    expect(drained(queue)).toEqual(['a2']);
  });
});
