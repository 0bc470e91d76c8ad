import { describe, expect, it } from 'vitest';

import { FairSemaphore, SemaphoreBusy } from './fair-semaphore.js';

/** Work whose end the test decides. */
class Work {
  readonly begun: string[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(
    private readonly semaphore: FairSemaphore,
    private readonly mostOfOwner = Infinity,
  ) {}

  add(owner: string, name: string): Promise<void> {
    return this.semaphore.run(
      owner,
      () => {
        this.begun.push(name);
        return new Promise<void>((end) => this.ends.push(end));
      },
      { mostOfOwner: this.mostOfOwner },
    );
  }

  /** Ends what has begun first, and lets the next begin. */
  async end(): Promise<void> {
    this.ends.shift()!();
    await new Promise((done) => setImmediate(done));
  }
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

describe('FairSemaphore', () => {
  it('lets so much be in progress at once, and owners take turns, each in its own order', async () => {
    const work = new Work(new FairSemaphore({ permits: 2 }));
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((name) => work.add(name[0]!, name));
    await settled();
    expect(work.begun).toEqual(['a1', 'a2']);
    for (let ended = 0; ended < 7; ended++) await work.end();
    expect(work.begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2']);
    await Promise.all(all);
  });

  it('gives who comes later a turn before a crowd', async () => {
    const work = new Work(new FairSemaphore({ permits: 1 }));
    for (let n = 0; n < 100; n++) void work.add('a', `a${n}`);
    await settled();
    await work.end();
    void work.add('b', 'b0');
    await work.end();
    await work.end();
    expect(work.begun).toEqual(['a0', 'a1', 'a2', 'b0']);
  });

  it('turns away who has too many waiting, or all when too many wait', async () => {
    const work = new Work(new FairSemaphore({ permits: 1, mostWaiting: 3 }), 2);
    const admitted = ['a1', 'a2', 'a3', 'b1'].map((name) => work.add(name[0]!, name));
    await expect(work.add('a', 'a4')).rejects.toMatchObject({ ofTheirOwn: true });
    await expect(work.add('c', 'c1')).rejects.toMatchObject({ ofTheirOwn: false });
    await expect(work.add('c', 'c1')).rejects.toBeInstanceOf(SemaphoreBusy);
    for (let ended = 0; ended < 4; ended++) await work.end();
    await Promise.all(admitted);
    expect(work.begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('forgets who has waited for too long', async () => {
    const semaphore = new FairSemaphore({ permits: 1 });
    await semaphore.acquire('a');
    await expect(semaphore.acquire('b', { patienceMs: 5 })).rejects.toMatchObject({ ofTheirOwn: false });
    semaphore.release();
    expect(semaphore.free).toBe(1);
  });

  it('goes on after a failure', async () => {
    const semaphore = new FairSemaphore({ permits: 1 });
    await expect(semaphore.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await semaphore.run('a', () => Promise.resolve('done'))).toBe('done');
  });

  it('passes over who may not have one now, and comes back to them', async () => {
    const held = new Map<string, number>();
    const most = 1;
    const admit = (owner: string): boolean => {
      const count = held.get(owner) ?? 0;
      if (count < most) held.set(owner, count + 1);
      return count < most;
    };
    const semaphore = new FairSemaphore({ permits: 2, admit });
    const taken: string[] = [];
    for (const owner of ['a', 'a', 'b']) void semaphore.acquire(owner).then(() => taken.push(owner));
    await settled();
    expect([taken, semaphore.free]).toEqual([['a', 'b'], 0]);
    held.set('b', 0);
    semaphore.release();
    await settled();
    expect([taken, semaphore.free]).toEqual([['a', 'b'], 1]);
    held.set('a', 0);
    semaphore.release();
    await settled();
    expect([taken, semaphore.free]).toEqual([['a', 'b', 'a'], 1]);
  });
});
