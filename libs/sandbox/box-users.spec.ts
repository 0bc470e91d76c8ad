import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';

import { findBoxUsers, givenIds, inTurn } from './box-users.js';
import { builtLauncher } from './test/in-box.js';
import { softLimit } from './user-limits.js';

describe('givenIds', () => {
  const names = ['1001', 'worker'];

  it.each<[string, string, string, [number, number] | null]>([
    ['by name', 'worker:100000:65536', 'worker:100000:65536', [100_000, 65_536]],
    ['by number', 'other:1:9\n1001:100000:65536\n', '1001:100000:65536\n', [100_000, 65_536]],
    ['what both have', 'worker:100000:65536', 'worker:130000:65536', [130_000, 35_536]],
    ['the largest of several', 'worker:100000:300\nworker:200000:5000', 'worker:0:900000', [200_000, 5_000]],
    ['nothing for others', 'other:100000:65536', 'other:100000:65536', null],
    ['nothing that only one has', 'worker:100000:65536', '', null],
    ['nothing that is too little', 'worker:100000:255', 'worker:100000:255', null],
    ['nothing of what cannot be read', 'worker:x:65536\nworker\n', 'worker:100000:65536', null],
  ])('finds %s', (_, subuid, subgid, found) => {
    const range = givenIds(subuid, subgid, names);
    expect(range && [range.from, range.count]).toEqual(found);
  });
});

describe('users of boxes', () => {
  it('come in turn, so that slots which stay for long do not share one', async () => {
    const { kind, next } = await findBoxUsers(builtLauncher(), tmpdir());
    if (kind === 'own') return;
    const ids = Array.from({ length: 100 }, () => next()!);
    const steps = ids.slice(1).map((id, index) => id - ids[index]!);
    expect(steps.filter((step) => step === 1).length).toBeGreaterThanOrEqual(98);
  });
});

describe('a few users', () => {
  it('do not come again while a slot has them', () => {
    const { next, giveBack } = inTurn({ from: 5, count: 4 });
    const [stays, ...others] = [next(), next(), next(), next()];
    for (let round = 0; round < 10; round++) {
      others.forEach(giveBack);
      const again = [next(), next(), next()];
      expect(again).not.toContain(stays);
      expect(new Set(again)).toEqual(new Set(others));
    }
    expect([5, 6, 7, 8]).toContain(next());
  });
});

describe('softLimit', () => {
  const limits =
    'Limit   Soft Limit  Hard Limit Units\nMax processes  400   500  processes\nMax open files  unlimited unlimited files\n';

  it('reads numbers, and what is not limited', () => {
    expect(softLimit(limits, 'Max processes')).toBe(400);
    expect(softLimit(limits, 'Max open files')).toBe(Infinity);
    expect(softLimit(limits, 'Max nothing')).toBe(Infinity);
  });
});
