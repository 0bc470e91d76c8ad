import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { LoopRunner, type PassResult } from './loop-runner.js';
import type { NextPass, Pass } from './loop.decorator.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A loop whose passes end when the test says so. */
class Subject {
  readonly begun: Pass[] = [];
  readonly results: PassResult[] = [];
  room = true;
  private end: ((next: NextPass | Error) => void) | null = null;
  readonly runner: LoopRunner;

  constructor(every = 1_000, atStart = true, apart = 0) {
    this.runner = new LoopRunner(
      { every, atStart, apart, hasRoom: () => this.room },
      (pass) =>
        new Promise((resolve, reject) => {
          this.begun.push(pass);
          this.end = (next) => (next instanceof Error ? reject(next) : resolve(next));
        }),
      (result) => this.results.push(result),
    );
    this.runner.start();
  }

  async finish(next: NextPass | Error = undefined): Promise<void> {
    this.end!(next);
    await vi.advanceTimersByTimeAsync(0);
  }
}

describe('A loop', () => {
  it('passes at the start and by the clock', async () => {
    const loop = new Subject();
    expect(loop.begun).toHaveLength(1);
    await loop.finish();
    await vi.advanceTimersByTimeAsync(999);
    expect(loop.begun).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(loop.begun).toHaveLength(2);
    expect(loop.begun.map(({ woken }) => woken)).toEqual([false, false]);
  });

  it('may wait for the clock before its first pass', async () => {
    const loop = new Subject(1_000, false);
    expect(loop.begun).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(loop.begun).toHaveLength(1);
  });

  it('lets work gather between two passes, but keeps nobody waiting after a pause', async () => {
    const loop = new Subject(1_000, false, 10);
    loop.runner.wake();
    expect(loop.begun).toHaveLength(1);
    loop.runner.wake();
    await loop.finish();
    loop.runner.wake();
    await vi.advanceTimersByTimeAsync(9);
    expect(loop.begun).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(loop.begun).toHaveLength(2);
    await loop.finish(true);
    expect(loop.begun).toHaveLength(3);
    await loop.finish();
    await vi.advanceTimersByTimeAsync(10);
    loop.runner.wake();
    expect(loop.begun).toHaveLength(4);
  });

  it('ends while it lets work gather', async () => {
    const loop = new Subject(1_000, false, 10);
    loop.runner.wake();
    await loop.finish();
    loop.runner.wake();
    await loop.runner.end();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(loop.begun).toHaveLength(1);
  });

  it('makes one pass at a time, and one more for all who woke it meanwhile', async () => {
    const loop = new Subject();
    for (let count = 0; count < 5; count++) expect(loop.runner.wake()).toBe(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(loop.begun).toHaveLength(1);
    await loop.finish();
    expect(loop.begun.map(({ woken }) => woken)).toEqual([false, true]);
    await loop.finish();
    expect(loop.begun).toHaveLength(2);
  });

  it('passes again at once where there is more, and after a time that the pass asks for', async () => {
    const loop = new Subject();
    await loop.finish(true);
    expect(loop.begun).toHaveLength(2);
    await loop.finish(300);
    await vi.advanceTimersByTimeAsync(299);
    expect(loop.begun).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(loop.begun).toHaveLength(3);
  });

  it('goes on after failures, later each time and no later than after five seconds', async () => {
    const loop = new Subject();
    const passedAt: number[] = [];
    const begun = Date.now();
    for (let count = 0; count < 6; count++) {
      await loop.finish(new Error('away'));
      const passes = loop.begun.length;
      while (loop.begun.length === passes) await vi.advanceTimersByTimeAsync(1_000);
      passedAt.push((Date.now() - begun) / 1_000);
    }
    expect(passedAt).toEqual([1, 3, 7, 12, 17, 22]);
    expect(loop.results.map(({ waitMs }) => waitMs)).toEqual([1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
    await loop.finish();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(loop.begun).toHaveLength(8);
  });

  it('is not held up by earlier failures when it is woken', async () => {
    const loop = new Subject();
    await loop.finish(new Error('one'));
    await vi.advanceTimersByTimeAsync(1_000);
    await loop.finish(new Error('two'));
    expect(loop.runner.wake()).toBe(true);
    expect(loop.begun).toHaveLength(3);
  });

  it('makes no pass without room, and says so to who wakes it', async () => {
    const loop = new Subject();
    await loop.finish();
    loop.room = false;
    expect(loop.runner.wake()).toBe(false);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(loop.begun).toHaveLength(1);
  });

  it('keeps a job of the queue until there is room for another', async () => {
    const loop = new Subject();
    let over = false;
    const job = loop.runner.passAndWaitForRoom({ woken: true }).then(() => (over = true));
    await loop.finish();
    expect(loop.begun).toHaveLength(2);
    loop.room = false;
    await loop.finish();
    expect(over).toBe(false);
    loop.room = true;
    loop.runner.look();
    await loop.finish();
    await job;
    expect(over).toBe(true);
  });

  it('ends once the pass in progress has, and tells it to hurry', async () => {
    const loop = new Subject();
    let over = false;
    const end = loop.runner.end().then(() => (over = true));
    expect(loop.begun[0]!.stopping.aborted).toBe(true);
    expect(loop.runner.wake()).toBe(false);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(over).toBe(false);
    await loop.finish(true);
    await end;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(loop.begun).toHaveLength(1);
  });

  it('passes now for whoever asks, and not by a pass that had begun before', async () => {
    const loop = new Subject();
    let over = false;
    const passed = loop.runner.passNow().then(() => (over = true));
    await loop.finish();
    expect([loop.begun.length, over]).toEqual([2, false]);
    await loop.finish(new Error('failed'));
    await passed;
    expect(over).toBe(true);
  });
});
