import { describe, expect, it } from 'vitest';

import { added, binOf, secondsOf } from './bins.js';

describe('bins', () => {
  it('give back what went in, at most 2.5 % off', () => {
    for (let ms = 20; ms < 10 * 86_400_000; ms = Math.ceil(ms * 1.013)) {
      expect(Math.abs(secondsOf(binOf(ms))! * 1000 - ms) / ms).toBeLessThan(0.05);
    }
    expect([secondsOf(binOf(0)), secondsOf(binOf(-3)), secondsOf(null)]).toEqual([0, 0, null]);
  });

  it('are added up', () => {
    expect(added({ '1': 2, '3': 1 }, { '3': 4, '5': 1 })).toEqual({ '1': 2, '3': 5, '5': 1 });
  });
});
