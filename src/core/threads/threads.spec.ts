import { afterEach, describe, expect, it } from 'vitest';

import { Threads, type ThreadWork } from './threads.js';
import { ThreadsBusy, WorkTooHeavy } from './threads.errors.js';

const opened: Threads[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((threads) => threads.onApplicationShutdown()));
});

function open(threads = 1): Threads {
  const made = new Threads({ threads, heapMb: 32 });
  opened.push(made);
  return made;
}

const work = (name: string, input: unknown = null, over: Partial<ThreadWork> = {}): ThreadWork => ({
  module: new URL('./threads.fixture.mjs', import.meta.url),
  name,
  input,
  bytes: 100,
  owner: 'a',
  limitMs: 20_000,
  patienceMs: 60_000,
  ...over,
});

describe('Threads', () => {
  it('does work and gives back what came of it', async () => {
    const threads = open();
    expect(await threads.run(work('twice', 21))).toBe(42);
    await expect(threads.run(work('fail'))).rejects.toThrow('wrong in itself');
    expect(await threads.run(work('twice', 1))).toBe(2);
  });

  it('ends what takes too long or too much memory, and goes on', async () => {
    const threads = open();
    const endless = threads.run(work('neverEnd', null, { limitMs: 1_500 }));
    const waiting = threads.run(work('twice', 2));
    await expect(endless).rejects.toThrow(WorkTooHeavy);
    expect(await waiting).toBe(4);
    await expect(threads.run(work('takeMemory'))).rejects.toMatchObject({ reason: 'memory' });
    expect(await threads.run(work('twice', 3))).toBe(6);
  });

  it('lets owners take turns', async () => {
    const threads = open();
    const done: string[] = [];
    const told = (owner: string, ms: number): Promise<unknown> =>
      threads.run(work('sleep', ms, { owner })).then(() => done.push(owner));
    await Promise.all([...Array.from({ length: 5 }, () => told('a', 30)), told('b', 0)]);
    expect(done.indexOf('b')).toBeLessThanOrEqual(2);
  });

  it('lets those take turns whom work counts for', async () => {
    const threads = open();
    threads.countBy((id) => Promise.resolve(id.charAt(0)));
    const done: string[] = [];
    const begin = (owner: string, ms: number): Promise<unknown> =>
      threads.run(work('sleep', ms, { owner })).then(() => done.push(owner));
    await Promise.all([...['a1', 'a1', 'a2', 'a3', 'a4'].map((owner) => begin(owner, 30)), begin('b', 0)]);
    expect(done.indexOf('b')).toBeLessThanOrEqual(2);
  });

  it('keeps what waits of one from filling the room of others, and refuses no work that is bounded elsewhere', async () => {
    const threads = open();
    const first = threads.run(work('sleep', 1_000));
    const waiting = threads.run(work('twice', 1, { owner: 'b', bytes: 2 ** 25 }));
    await expect(threads.run(work('twice', 1, { owner: 'b' }))).rejects.toThrow(ThreadsBusy);
    const others = ['c', 'd'].map((owner) => threads.run(work('twice', 2, { owner, bytes: 2 ** 20 })));
    const run = threads.run(work('twice', 3, { owner: 'b', bytes: 2 ** 30, mostWaiting: Infinity }));
    expect(await Promise.all([...others, run])).toEqual([4, 4, 6]);
    await Promise.all([first, waiting]);
  });

  it('refuses what would wait too long, or behind too much', async () => {
    const threads = open();
    const first = threads.run(work('sleep', 1_000));
    const second = threads.run(work('sleep', 0, { mostWaiting: 1 }));
    await expect(threads.run(work('twice', 1, { mostWaiting: 1 }))).rejects.toThrow(ThreadsBusy);
    await expect(threads.run(work('twice', 1, { bytes: 2 ** 30 }))).rejects.toThrow(ThreadsBusy);
    await expect(threads.run(work('twice', 1, { patienceMs: 10 }))).rejects.toThrow(ThreadsBusy);
    await Promise.all([first, second]);
    expect(await threads.run(work('twice', 1))).toBe(2);
  });
});
