import { describe, expect, it } from 'vitest';

import { type LineArchive, type LogChange, LogCollector, type LogLimits } from './log-collector.js';

/** What a reader finds, as the database keeps it. */
class Store {
  readonly lines = new Map<number, string>();

  take(log: LogCollector): LogChange {
    const { change } = log;
    for (const { firstLine, lines } of change.chunks)
      lines.forEach((line, place) => this.lines.set(firstLine + place, line));
    if (change.dropped)
      for (let number = change.dropped.from; number < change.dropped.to; number++) this.lines.delete(number);
    log.stored(change);
    return change;
  }

  get texts(): string[] {
    return [...this.lines].sort(([one], [other]) => one - other).map(([, line]) => line);
  }
}

class Archive implements LineArchive {
  isOpen = true;
  pendingFrom: number | null = null;
  readonly lines: string[] = [];
  private next: number | null = null;

  add(firstLine: number, lines: number, text: string | Buffer): void {
    expect(firstLine).toBe(this.next ?? firstLine);
    this.next = firstLine + lines;
    this.lines.push(...(typeof text === 'string' ? [text] : text.toString().trimEnd().split('\n')));
  }
}

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => String(from + index));

function collect(lines: readonly string[], limits?: LogLimits): { log: LogCollector; store: Store } {
  const log = new LogCollector(limits);
  for (const line of lines) log.add(line);
  return { log, store: new Store() };
}

describe('LogCollector', () => {
  it('hands on each line once', () => {
    const { log, store } = collect(['a', '', 'b']);
    expect(store.take(log)).toEqual({
      count: 3,
      chunks: [{ firstLine: 0, lines: ['a', '', 'b'] }],
      dropped: null,
    });
    expect(log.change).toEqual({ count: 3, chunks: [], dropped: null });
    log.add('c');
    expect(log.change.chunks).toEqual([{ firstLine: 3, lines: ['c'] }]);
    // It could not be stored, and is asked for again.
    expect(log.change.chunks).toEqual([{ firstLine: 3, lines: ['c'] }]);
  });

  it('keeps 10,000 lines in a row, in chunks', () => {
    const { log, store } = collect(numbers(0, 10_000));
    expect(store.take(log)).toMatchObject({ count: 10_000, dropped: null });
    expect(store.texts).toEqual(numbers(0, 10_000));
    expect(log.isBehind).toBe(false);
  });

  it('keeps the first 2,000 and the last 8,000 of more, however they were stored', () => {
    for (const every of [700, 3000, 25_000, 50_000]) {
      const { log, store } = collect([]);
      for (let number = 0; number < 30_000; number++) {
        log.add(String(number));
        if (number % every === 0) store.take(log);
      }
      store.take(log);
      expect(store.texts).toEqual([...numbers(0, 2000), ...numbers(22_000, 30_000)]);
      expect(log.change).toEqual({ count: 30_000, chunks: [], dropped: null });
    }
  });

  it('keeps 4 MiB of long lines: at least a quarter from the beginning, the others from the end', () => {
    const { log, store } = collect(numbers(0, 2000).map((line) => line.padEnd(4096, '.')));
    store.take(log);
    const kept = [...store.lines.keys()];
    expect(kept).toHaveLength(1024);
    expect(kept.slice(0, 256)).toEqual(Array.from({ length: 256 }, (_, number) => number));
    expect(kept.at(256)).toBe(2000 - 768);
  });

  it('drops nothing while all of it fits, though the beginning is full', () => {
    const { log, store } = collect(numbers(0, 1000).map((line) => line.padEnd(4000, '.')));
    store.take(log);
    expect(store.lines.size).toBe(1000);
    const short = collect([
      ...numbers(0, 300).map((line) => line.padEnd(4000, '.')),
      ...numbers(300, 10_000),
    ]);
    short.store.take(short.log);
    expect(short.store.lines.size).toBe(10_000);
  });

  it('counts lines that were dropped elsewhere, up to a number that fits everywhere', () => {
    const limits = { headLines: 1, maxLines: 3 };
    const { log, store } = collect(['a', 'b', 'c'], limits);
    store.take(log);
    log.skip(100);
    log.add('d');
    expect(store.take(log).chunks).toEqual([{ firstLine: 103, lines: ['d'] }]);
    expect([...store.lines]).toEqual([
      [0, 'a'],
      [2, 'c'],
      [103, 'd'],
    ]);
    log.skip(2 ** 40);
    log.skip(2 ** 40);
    log.add('e');
    log.skip(2 ** 40);
    log.add('f');
    expect(log.change.chunks).toEqual([{ firstLine: 900_000_000, lines: ['e', 'f'] }]);
  });

  it('is behind while lines were dropped that nobody has stored', () => {
    const { log, store } = collect(numbers(0, 3), { headLines: 1, maxLines: 3 });
    expect(log.isBehind).toBe(false);
    log.add('3');
    expect(log.isBehind).toBe(true);
    store.take(log);
    expect(log.isBehind).toBe(false);
    log.add('4');
    log.add('5');
    expect([log.isBehind, log.isDropping]).toEqual([false, true]);
    log.add('6');
    expect(log.isBehind).toBe(true);
  });

  it('puts each line into the archive that it does not keep, in order', () => {
    for (const every of [3, 1000]) {
      const archive = new Archive();
      const store = new Store();
      const log = new LogCollector({ headLines: 2, maxLines: 10 }, archive);
      for (let number = 0; number < 40; number++) {
        log.add(String(number));
        if (number % every === 0) store.take(log);
      }
      log.skip(3, () => Buffer.from('40\n41\n42\n'));
      for (const line of numbers(43, 55)) log.add(line);
      store.take(log);
      expect(archive.lines).toEqual(numbers(2, 47));
      expect(store.texts).toEqual([...numbers(0, 2), ...numbers(47, 55)]);
    }
  });

  it('keeps lines until they have arrived in the archive, and no longer', () => {
    const archive = new Archive();
    const store = new Store();
    const log = new LogCollector({ headLines: 2, maxLines: 10 }, archive);
    for (let number = 0; number < 40; number++) {
      log.add(String(number));
      store.take(log);
    }
    expect(store.texts).toEqual([...numbers(0, 2), ...numbers(32, 40)]);
    archive.pendingFrom = 35;
    for (const line of numbers(40, 60)) {
      log.add(line);
      store.take(log);
    }
    expect(store.texts).toEqual([...numbers(0, 2), ...numbers(35, 60)]);
    archive.pendingFrom = null;
    store.take(log);
    expect(store.texts).toEqual([...numbers(0, 2), ...numbers(52, 60)]);
  });

  it('goes on without an archive that takes no more', () => {
    const archive = new Archive();
    const { store } = collect([]);
    const log = new LogCollector({ headLines: 2, maxLines: 10 }, archive);
    for (const line of numbers(0, 20)) log.add(line);
    archive.isOpen = false;
    for (const line of numbers(20, 40)) log.add(line);
    log.skip(5, () => expect.unreachable());
    store.take(log);
    expect(archive.lines).toEqual(numbers(2, 12));
    expect(store.texts).toEqual([...numbers(0, 2), ...numbers(32, 40)]);
  });

  it('goes on where a change is stored while lines come', () => {
    const { log, store } = collect(numbers(0, 9), { headLines: 2, maxLines: 10 });
    const { change } = log;
    for (const line of numbers(9, 30)) log.add(line);
    for (const { firstLine, lines } of change.chunks)
      lines.forEach((line, place) => store.lines.set(firstLine + place, line));
    log.stored(change);
    store.take(log);
    expect(store.texts).toEqual([...numbers(0, 2), ...numbers(22, 30)]);
  });
});
