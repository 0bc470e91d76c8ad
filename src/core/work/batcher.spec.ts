import { describe, expect, it } from 'vitest';

import { Batcher } from './batcher.js';

describe('Batcher', () => {
  it('does together what is asked for at the same time, and gives each its own result', async () => {
    const batches: string[][] = [];
    const batcher = new Batcher<string, string>(
      (items) => {
        batches.push(items);
        return Promise.resolve(items.map((item) => item.toUpperCase()));
      },
      { most: 10, atOnce: 4 },
    );
    expect(await Promise.all([batcher.add('b'), batcher.add('a')])).toEqual(['B', 'A']);
    expect(await batcher.add('c')).toBe('C');
    expect(batches).toEqual([['b', 'a'], ['c']]);
  });

  it('does many in parts, so many at once', async () => {
    const sizes: number[] = [];
    let underWay = 0;
    let most = 0;
    const batcher = new Batcher<number, number>(
      async (items) => {
        sizes.push(items.length);
        most = Math.max(most, ++underWay);
        await new Promise((done) => setTimeout(done, 2));
        underWay -= 1;
        return items;
      },
      { most: 16, atOnce: 2 },
    );
    const items = Array.from({ length: 40 }, (_, index) => index);
    expect(await Promise.all(items.map((item) => batcher.add(item)))).toEqual(items);
    expect([sizes, most]).toEqual([[16, 16, 8], 2]);
  });

  it('waits a while for others', async () => {
    const sizes: number[] = [];
    const work = (items: number[]): Promise<number[]> => {
      sizes.push(items.length);
      return Promise.resolve(items);
    };
    const batcher = new Batcher(work, { most: 16, atOnce: 1, gatherMs: 20 });
    const first = batcher.add(1);
    await new Promise((done) => setTimeout(done, 1));
    await Promise.all([first, batcher.add(2)]);
    expect(sizes).toEqual([2]);
  });

  it('fails for all that were together, and not for those that come later', async () => {
    let failing = true;
    const batcher = new Batcher<string, string>(
      (items) => (failing ? Promise.reject(new Error('gone')) : Promise.resolve(items)),
      { most: 10, atOnce: 1 },
    );
    const results = await Promise.allSettled([batcher.add('a'), batcher.add('b')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    failing = false;
    expect(await batcher.add('a')).toBe('a');
  });
});
