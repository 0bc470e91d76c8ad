import { describe, expect, it } from 'vitest';

import { RawJson } from '../../core/json/index.js';
import { inSlices, portionsOf } from './automated-run.portions.js';

const MiB = 1024 * 1024;
const made = (characters: number) => ({ run: { inputs: new RawJson('x'.repeat(characters)) } });

describe('portionsOf', () => {
  it.each<[string, number[], number[]]>([
    ['nothing', [], []],
    ['what is small in one', [10, 20, 30], [3]],
    ['what is large in several, in order', [MiB, MiB, 1, MiB, MiB], [2, 2, 1]],
    ['what is too large alone', [1, 3 * MiB, 1], [1, 1, 1]],
  ])('%s', (_, sizes, counts) => {
    const all = sizes.map(made);
    const portions = portionsOf(all);
    expect(portions.map(({ length }) => length)).toEqual(counts);
    expect(portions.flat()).toEqual(all);
  });
});

describe('inSlices', () => {
  it('gives the event loop its turn between', async () => {
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const results = await inSlices([...Array(100).keys()], async (item) => Promise.resolve(item + 1));
    clearImmediate(next);
    expect(results).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(turns).toBeGreaterThanOrEqual(4);
  });
});
