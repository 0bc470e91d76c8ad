import { afterEach, expect, it, vi } from 'vitest';

import { WorkerMemory } from './worker-memory.js';

const MiB = 1024 * 1024;
/** 4 GiB, and four places of 512 MiB. */
const worker = () => new WorkerMemory(4096 * MiB, 512 * MiB, 4);

afterEach(() => void vi.useRealTimers());

it('lets runs that ask for the usual or less begin at once', () => {
  const memory = worker();
  for (let i = 0; i < 100; i++) expect(memory.borrow(512 * MiB, 'a').isGiven).toBe(true);
});

it('lends what is left beside its places, in the order in which it was asked for', async () => {
  const memory = worker();
  const first = memory.borrow(1536 * MiB, 'a');
  const second = memory.borrow(1536 * MiB, 'a');
  const third = memory.borrow(1536 * MiB, 'a');
  const fourth = memory.borrow(1536 * MiB, 'a');
  expect([first, second, third, fourth].map(({ isGiven }) => isGiven)).toEqual([true, true, false, false]);
  second.giveBack();
  await third.given;
  expect(fourth.isGiven).toBe(false);
  first.giveBack();
  await fourth.given;
});

it('lends to the owner first who has borrowed less', () => {
  const memory = worker();
  const large = [1, 2, 3, 4].map(() => memory.borrow(1536 * MiB, 'busy'));
  const other = memory.borrow(1536 * MiB, 'other');
  large[0]!.giveBack();
  expect([other, large[2]!].map(({ isGiven }) => isGiven)).toEqual([true, false]);
});

it('lends past what there is no room for, but not for ever', () => {
  vi.useFakeTimers();
  const memory = worker();
  const half = memory.borrow(1536 * MiB, 'a');
  const large = memory.borrow(2560 * MiB, 'b');
  const small = memory.borrow(1024 * MiB, 'c');
  expect([large.isGiven, small.isGiven]).toEqual([false, true]);
  vi.advanceTimersByTime(60_000);
  small.giveBack();
  const later = memory.borrow(1024 * MiB, 'd');
  expect([large.isGiven, later.isGiven]).toEqual([false, false]);
  half.giveBack();
  expect([large.isGiven, later.isGiven]).toEqual([true, false]);
  large.giveBack();
  expect(later.isGiven).toBe(true);
});

it('lends more than is left to one alone', () => {
  const memory = worker();
  const small = memory.borrow(1024 * MiB, 'a');
  const large = memory.borrow(4096 * MiB, 'a');
  expect(large.isGiven).toBe(false);
  small.giveBack();
  const after = memory.borrow(1024 * MiB, 'a');
  expect([large.isGiven, after.isGiven]).toEqual([true, false]);
  large.giveBack();
  expect(after.isGiven).toBe(true);
});

it('lends nothing to a run that is over, and goes on to the next', () => {
  const memory = worker();
  const held = memory.borrow(4096 * MiB, 'a');
  const cancelled = memory.borrow(2048 * MiB, 'a');
  const next = memory.borrow(2048 * MiB, 'a');
  cancelled.giveBack();
  held.giveBack();
  expect([cancelled.isGiven, next.isGiven]).toEqual([false, true]);
});

it('refuses what it has not', () => {
  expect(() => worker().borrow(4097 * MiB, 'a')).toThrow(
    'the version asks for 4097 MiB of memory, and this worker has 4096',
  );
});
