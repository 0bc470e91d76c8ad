import { describe, expect, it } from 'vitest';

import { type LogPart, WholeLog, type WholeLogLimits } from './whole-log.js';

const PART = 100;

/** Stores parts when it is told to. */
class Store {
  readonly parts: LogPart[] = [];
  private readonly waiting: PromiseWithResolvers<boolean>[] = [];
  readonly store = (part: LogPart): Promise<boolean> => {
    this.parts.push(part);
    const waiting = Promise.withResolvers<boolean>();
    this.waiting.push(waiting);
    return waiting.promise;
  };

  async settle(isOfUse = true): Promise<void> {
    this.waiting.shift()!.resolve(isOfUse);
    await new Promise((done) => setImmediate(done));
  }

  get numbers(): number[] {
    return this.parts.flatMap(({ firstLine, lines }) =>
      Array.from({ length: lines }, (_, place) => firstLine + place),
    );
  }
}

function open(limits: WholeLogLimits = {}): { log: WholeLog; store: Store } {
  const store = new Store();
  return { log: new WholeLog(store.store, { partBytes: PART, ...limits }), store };
}

const LINE = 'x'.repeat(9);
const fill = (log: WholeLog, from: number, to: number): void => {
  for (let number = from; number < to; number++) log.add(number, 1, LINE);
};

describe('the whole log', () => {
  it('is stored in parts, each with its lines as text', async () => {
    const { log, store } = open();
    log.add(7, 1, 'one');
    log.add(8, 2, Buffer.from('two\nthree\n'));
    log.add(10, 1, '');
    expect([store.parts.length, log.pendingFrom]).toEqual([0, 7]);
    const closed = log.close();
    expect(store.parts).toMatchObject([{ firstLine: 7, lines: 4, size: 15 }]);
    expect(Buffer.concat(store.parts[0]!.text).toString()).toBe('one\ntwo\nthree\n\n');
    await store.settle();
    await closed;
    expect(log.pendingFrom).toBeNull();
  });

  it('is pending from the first line that has not arrived, in whichever order parts do', async () => {
    const { log, store } = open();
    fill(log, 0, 25);
    expect([store.parts.length, log.pendingFrom]).toEqual([2, 0]);
    await store.settle();
    expect(log.pendingFrom).toBe(10);
    await store.settle();
    expect(log.pendingFrom).toBe(20);
  });

  it('has the script wait while it is full, for so long in all', async () => {
    const { log, store } = open({ holdUpMs: 60_000 });
    fill(log, 0, 25);
    expect(log.room).toBeNull();
    fill(log, 25, 30);
    const { room } = log;
    expect(room).not.toBeNull();
    await store.settle();
    await room;
    expect(log.room).toBeNull();
    const impatient = open({ holdUpMs: 1 });
    fill(impatient.log, 0, 30);
    await expect.poll(() => impatient.log.room).toBeNull();
  });

  it('leaves out what comes faster than it is stored, and goes on behind it', async () => {
    const { log, store } = open({ partBytes: 4 * 1024 * 1024 });
    const block = Buffer.from('y'.repeat(1024 * 1024 - 1) + '\n');
    for (let number = 0; number < 40; number++) log.add(number, 1, block);
    expect(store.parts).toHaveLength(2);
    await store.settle();
    log.add(40, 1, block);
    const closed = log.close();
    for (let part = 0; part < 3; part++) await store.settle();
    await closed;
    expect(store.numbers.length).toBeLessThan(25);
    expect(store.numbers.at(-1)).toBe(40);
    expect(new Set(store.numbers).size).toBe(store.numbers.length);
  });

  it('takes no more than it may have, or once there is no use', async () => {
    const { log, store } = open({ mostBytes: 50 });
    fill(log, 0, 10);
    expect([log.isOpen, store.numbers]).toEqual([false, [0, 1, 2, 3, 4]]);
    const useless = open();
    fill(useless.log, 0, 10);
    await useless.store.settle(false);
    expect([useless.log.isOpen, useless.log.pendingFrom]).toEqual([false, null]);
  });
});
