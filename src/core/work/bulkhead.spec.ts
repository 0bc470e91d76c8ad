import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { Bulkhead } from './bulkhead.js';

const HOUR_MS = 3_600_000;

describe('Bulkhead', () => {
  let tried: string[];
  let setAside: string[];
  const fails = new Set(['b']);
  const work = (id: string): Promise<void> => {
    tried.push(id);
    return fails.has(id) ? Promise.reject(new Error('broken')) : Promise.resolve();
  };

  beforeEach(() => {
    [tried, setAside] = [[], []];
    vi.useFakeTimers({ toFake: ['performance'] });
    vi.spyOn(Logger.prototype, 'error').mockReturnValue();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('goes on behind an item that fails, and lets that wait', async () => {
    const bulkhead = new Bulkhead('item');
    for (let pass = 0; pass < 2; pass++) await bulkhead.each(['a', 'b', 'c'], work);
    expect(tried).toEqual(['a', 'b', 'c', 'a', 'c']);
    expect(bulkhead.waiting).toEqual(['b']);
    vi.advanceTimersByTime(HOUR_MS);
    expect(bulkhead.waiting).toEqual([]);
  });

  it('sets it aside after the third failure', async () => {
    const bulkhead = new Bulkhead('item', async (id) => void setAside.push(id));
    for (let pass = 0; pass < 3; pass++) {
      expect(setAside).toEqual([]);
      await bulkhead.each(['b'], work);
      vi.advanceTimersByTime(HOUR_MS);
    }
    expect([tried, setAside]).toEqual([['b', 'b', 'b'], ['b']]);
  });

  it('counts anew once it has succeeded', async () => {
    const bulkhead = new Bulkhead('item', async (id) => void setAside.push(id));
    let times = 0;
    const everyThird = (): Promise<void> =>
      ++times % 3 === 0 ? Promise.resolve() : Promise.reject(new Error('broken'));
    for (let pass = 0; pass < 9; pass++) {
      await bulkhead.each(['b'], everyThird);
      vi.advanceTimersByTime(HOUR_MS);
    }
    expect([times, setAside]).toEqual([9, []]);
  });

  it('blames no item for a database that is away', async () => {
    const bulkhead = new Bulkhead('item');
    const away = Object.assign(new Error('gone'), { code: '57P01' });
    await expect(bulkhead.each(['a'], () => Promise.reject(away))).rejects.toThrow('gone');
    expect(bulkhead.waiting).toEqual([]);
  });
});
