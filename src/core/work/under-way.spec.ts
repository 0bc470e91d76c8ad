import { describe, expect, it } from 'vitest';

import { UnderWay } from './under-way.js';

describe('UnderWay', () => {
  it('names the owner of each until it has ended, however it ends', async () => {
    const underWay = new UnderWay();
    const ends: (() => void)[] = [];
    const works = ['a', 'a', 'b'].map((owner) =>
      underWay.during(owner, () => new Promise<void>((end) => ends.push(end))),
    );
    const failing = underWay.during('b', () => Promise.reject(new Error('no')));
    expect(underWay.owners()).toEqual(['a', 'a', 'b', 'b']);
    await expect(failing).rejects.toThrow('no');
    ends[0]!();
    await works[0];
    expect(underWay.owners()).toEqual(['a', 'b']);
    for (const end of ends) end();
    await Promise.all(works);
    expect(underWay.owners()).toEqual([]);
  });
});
