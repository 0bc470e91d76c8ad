import { describe, expect, it } from 'vitest';

import { FairLine, LineFull } from './fair-line.js';

/** Work whose end the test decides. */
class Work {
  readonly begun: string[] = [];
  private readonly ends: (() => void)[] = [];

  constructor(private readonly line: FairLine) {}

  add(whom: string, name: string): Promise<void> {
    return this.line.run(whom, () => {
      this.begun.push(name);
      return new Promise((end) => this.ends.push(end));
    });
  }

  /** Ends what has begun first, and lets the next begin. */
  async end(): Promise<void> {
    this.ends.shift()!();
    await new Promise((done) => setImmediate(done));
  }
}

describe('FairLine', () => {
  it('works on so many at once, and on the others in turns by whom they are for', async () => {
    const work = new Work(new FairLine({ atOnce: 2, mostWaiting: 100, mostWaitingEach: 100 }));
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((name) => work.add(name[0]!, name));
    expect(work.begun).toEqual(['a1', 'a2']);
    for (let ended = 0; ended < 7; ended++) await work.end();
    expect(work.begun).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2']);
    await Promise.all(all);
  });

  it('turns away who has too many waiting, or all when it is full', async () => {
    const work = new Work(new FairLine({ atOnce: 1, mostWaiting: 3, mostWaitingEach: 2 }));
    const admitted = ['a1', 'a2', 'a3', 'b1'].map((name) => work.add(name[0]!, name));
    await expect(work.add('a', 'a4')).rejects.toMatchObject({ ofTheirOwn: true });
    await expect(work.add('c', 'c1')).rejects.toMatchObject({ ofTheirOwn: false });
    await expect(work.add('c', 'c1')).rejects.toBeInstanceOf(LineFull);
    for (let ended = 0; ended < 4; ended++) await work.end();
    await Promise.all(admitted);
    expect(work.begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('goes on after a failure', async () => {
    const line = new FairLine({ atOnce: 1, mostWaiting: 1, mostWaitingEach: 1 });
    await expect(line.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await line.run('a', () => Promise.resolve('done'))).toBe('done');
  });
});
