import { EventEmitter } from 'node:events';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Notifications } from '../database/index.js';
import { Watch } from './watch.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What happens to rows, as `Notifications` tells it. */
class Happenings {
  readonly emitter = new EventEmitter();

  on(topic: string, id: string, listener: (id: string, row?: unknown) => void): () => void {
    return this.listen(`${topic}:${id}`, listener);
  }

  onGap(listener: () => void): () => void {
    return this.listen('gap', listener);
  }

  private listen(name: string, listener: (id: string, row?: unknown) => void): () => void {
    this.emitter.on(name, listener);
    return () => this.emitter.off(name, listener);
  }
}

function watchOf(...ends: AbortSignal[]) {
  const happenings = new Happenings();
  const watch = new Watch<string>(happenings as unknown as Notifications, 'run', 'a', ends);
  return { watch, emitter: happenings.emitter };
}

describe('A watch', () => {
  it('misses nothing that happens before somebody waits', async () => {
    const { watch, emitter } = watchOf();
    emitter.emit('run:a');
    expect(await watch.next(60_000)).toBe(true);
    const second = watch.next(500);
    await vi.advanceTimersByTimeAsync(500);
    expect(await second).toBe(false);
  });

  it.each(['run:a', 'gap'])('is told by %s', async (name) => {
    const { watch, emitter } = watchOf();
    const next = watch.next(60_000);
    emitter.emit(name);
    expect(await next).toBe(true);
  });

  it('looks until the row is as wanted, also where a notification is lost', async () => {
    const { watch } = watchOf();
    let phase = 0;
    const end = watch.until(
      () => Promise.resolve(phase++),
      (row) => (row === 3 ? 0 : 60_000),
    );
    await vi.advanceTimersByTimeAsync(6_000);
    expect(await end).toBe(3);
  });

  it('hands on the row that it is told, unless something has happened to it since', async () => {
    const { watch, emitter } = watchOf();
    const seen: (string | null)[] = [];
    const end = watch.until(
      (told) => Promise.resolve(seen.push(told)),
      (looks) => (looks === 4 ? 0 : 60_000),
    );
    const happens = (...rows: string[]): Promise<unknown> => {
      emitter.emit('run:a', 'a', ...rows);
      return vi.advanceTimersByTimeAsync(0);
    };
    await happens('finished');
    await happens();
    emitter.emit('run:a', 'a', 'finished');
    await happens();
    expect(await end).toBe(4);
    expect(seen).toEqual([null, 'finished', null, null]);
  });

  it('looks once more when patience ends', async () => {
    const { watch } = watchOf();
    const deadline = Date.now() + 2_500;
    let looks = 0;
    const end = watch.until(
      () => Promise.resolve(++looks),
      () => deadline - Date.now(),
    );
    await vi.advanceTimersByTimeAsync(2_500);
    expect(await end).toBe(3);
  });

  it('ends with its signal, and leaves no listener behind', async () => {
    const stopping = new AbortController();
    const { watch, emitter } = watchOf(stopping.signal);
    const end = watch.until(
      () => Promise.resolve('queued'),
      () => 60_000,
    );
    await vi.advanceTimersByTimeAsync(0);
    stopping.abort();
    expect(await end).toBe('queued');
    expect(emitter.eventNames()).toEqual([]);
  });
});
