import { expect, it } from 'vitest';

import { WorkerMemory } from './worker-memory.js';

const MiB = 1024 * 1024;
const alive = new AbortController().signal;
/** 4 GiB, and four places of 512 MiB. */
const worker = () => new WorkerMemory(4096 * MiB, 512 * MiB, 4);

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => (settled = true));
  await new Promise((done) => setImmediate(done));
  return settled;
}

it('lets runs that ask for the usual or less begin at once', async () => {
  const memory = worker();
  for (let i = 0; i < 100; i++) await memory.borrow(512 * MiB, alive);
});

it('lends what is left beside its places, and gives it out in the order in which it was asked for', async () => {
  const memory = worker();
  const first = await memory.borrow(1536 * MiB, alive);
  const second = await memory.borrow(1536 * MiB, alive);
  const third = memory.borrow(2048 * MiB, alive);
  const fourth = memory.borrow(1024 * MiB, alive);
  first();
  expect([await isSettled(third), await isSettled(fourth)]).toEqual([false, false]);
  second();
  (await third)();
  (await fourth)();
});

it('lends more than is left to one alone', async () => {
  const memory = worker();
  const small = await memory.borrow(1024 * MiB, alive);
  const large = memory.borrow(4096 * MiB, alive);
  expect(await isSettled(large)).toBe(false);
  small();
  const after = memory.borrow(1024 * MiB, alive);
  const giveBack = await large;
  expect(await isSettled(after)).toBe(false);
  giveBack();
  await after;
});

it('waits no longer for a run that is over, and goes on to the next', async () => {
  const memory = worker();
  const held = await memory.borrow(4096 * MiB, alive);
  const ended = new AbortController();
  const cancelled = memory.borrow(2048 * MiB, ended.signal);
  const next = memory.borrow(2048 * MiB, alive);
  ended.abort();
  (await cancelled)();
  (await memory.borrow(2048 * MiB, ended.signal))();
  held();
  await next;
});

it('refuses what it has not', async () => {
  await expect(worker().borrow(4097 * MiB, alive)).rejects.toThrow(
    'the version asks for 4097 MiB of memory, and this worker has 4096',
  );
});
