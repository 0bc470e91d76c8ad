import { describe, expect, it } from 'vitest';

import { UnderWay } from './under-way.js';

describe('UnderWay', () => {
  it('counts by owner until each has ended, however it ends', async () => {
    const underWay = new UnderWay();
    const ends: (() => void)[] = [];
    const works = ['a', 'a', 'b'].map((owner) =>
      underWay.during(owner, () => new Promise<void>((end) => ends.push(end))),
    );
    const failing = underWay.during('b', () => Promise.reject(new Error('no')));
    expect([underWay.of('a'), underWay.of('b'), underWay.of('c')]).toEqual([2, 2, 0]);
    await expect(failing).rejects.toThrow('no');
    ends[0]!();
    await works[0];
    expect([underWay.of('a'), underWay.of('b')]).toEqual([1, 1]);
    for (const end of ends) end();
    await Promise.all(works);
    expect([underWay.of('a'), underWay.of('b')]).toEqual([0, 0]);
  });
});
