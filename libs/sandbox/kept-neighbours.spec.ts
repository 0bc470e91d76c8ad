import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';

import type { BoxSpec } from './box.js';
import type { SandboxOptions } from './sandbox-options.js';
import { called, endWithEachTest, folder, open, ready, source } from './test/kept.js';

const MiB = 1 << 20;

/** Takes so many MiB for good, and waits for a file. */
const GROWS = source(
  'python',
  `held.append(b"x" * (inputs.get("grows", 0) << 20))
while "waits" in inputs and not os.path.exists(inputs["waits"]): time.sleep(0.005)
time.sleep(inputs.get("takes", 0))
return "done"`,
  'import os, time\nheld = []',
);

endWithEachTest();

/** Two workspaces on one worker. */
async function neighbours(options: SandboxOptions) {
  const box = await open(options);
  const apps = { calm: folder(GROWS), greedy: folder(GROWS) };
  const run = (
    owner: keyof typeof apps,
    inputs: object = {},
    wishes: Pick<Partial<BoxSpec>, 'keep' | 'limits'> = {},
  ) => {
    const keep = { name: owner, owner, idleMs: 60_000, runs: 1000, own: ['RUN_ID'] };
    return called(box, 'python', apps[owner], inputs, { keep, ...wishes });
  };
  const stays = (owner: keyof typeof apps) => ready(box, () => run(owner));
  return { box, apps, run, stays };
}

it('one that has a run takes no room from those that wait, and the owner that has the most gives way', async () => {
  const { box, apps, run, stays } = await neighbours({ maxSlots: 4, kept: { memoryBytes: 150 * MiB } });
  await stays('calm');
  await stays('greedy');
  expect(await run('greedy', { grows: 110 })).toMatchObject({ kept: true });
  const busy = run('greedy', { waits: 'go' });
  expect(await run('calm', { grows: 60 })).toMatchObject({ kept: true });
  expect(box.keptState!.templates).toBe(2);
  writeFileSync(join(apps.greedy, 'go'), '');
  expect(await busy).toMatchObject({ kept: true });
  await vi.waitUntil(() => box.keptState!.templates === 1, { timeout: 60_000 });
  expect(await run('calm')).toMatchObject({ kept: true });
});

it('of many, the oldest of the owner that has the most gives way', async () => {
  const { box, run, stays } = await neighbours({ maxSlots: 4, kept: { most: 2 } });
  await stays('calm');
  await stays('greedy');
  const other = { keep: { name: 'other', owner: 'greedy', idleMs: 60_000, runs: 1000, own: ['RUN_ID'] } };
  await ready(box, () => run('greedy', {}, other));
  expect(await run('calm')).toMatchObject({ kept: true });
  expect(await run('greedy', {}, other)).toMatchObject({ kept: true });
  expect(await run('greedy')).toMatchObject({ kept: false });
});

it('none is made while there is too little memory', async () => {
  const { box, run } = await neighbours({ kept: { spareBytes: Number.MAX_SAFE_INTEGER } });
  for (let n = 0; n < 5; n++) expect(await run('calm')).toMatchObject({ kept: false });
  expect(box.keptState).toMatchObject({ made: 0, making: 0, reason: expect.stringMatching(/memory/) });
});

it('one that leaves its next run too little memory ends', async () => {
  const { box, run } = await neighbours({ kept: { memoryBytes: 1024 * MiB } });
  const small = { limits: { memoryBytes: 128 * MiB } };
  const most = async (grows: number) => {
    await ready(box, () => run('calm', {}, small));
    expect(await run('calm', { grows }, small)).toMatchObject({ kept: true, code: 0 });
  };
  await most(70);
  expect(await run('calm', {}, small)).toMatchObject({ kept: true });
  expect(await run('calm', { grows: 25 }, small)).toMatchObject({ kept: true, code: 0 });
  await vi.waitUntil(() => box.keptState!.templates === 0, { timeout: 60_000 });
  expect(box.keptState!.reason).toMatch(/its next run too little memory/);
});

it('one is idle from the end of its run', async () => {
  const { box, run } = await neighbours({});
  const keep = { name: 'short', owner: 'calm', idleMs: 2000, runs: 1000, own: ['RUN_ID'] };
  await ready(box, () => run('calm', {}, { keep }));
  const began = Date.now();
  expect(await run('calm', { takes: 2.2 }, { keep })).toMatchObject({ kept: true });
  await vi.waitUntil(() => box.keptState!.templates === 0, { timeout: 60_000 });
  expect(Date.now() - began).toBeGreaterThan(2200 + 1900);
});

it('those of a folder that is removed end, and others stay', async () => {
  const { box, apps, run, stays } = await neighbours({ maxSlots: 4 });
  await stays('calm');
  await stays('greedy');
  for (const owner of ['calm', 'greedy'] as const) expect(await run(owner)).toMatchObject({ kept: true });
  box.forget(apps.calm);
  expect(box.keptState!.templates).toBe(1);
  const busy = run('greedy', { waits: 'go' });
  box.forget(apps.greedy);
  expect(box.keptState!.templates).toBe(1);
  writeFileSync(join(apps.greedy, 'go'), '');
  expect(await busy).toMatchObject({ kept: true });
  await vi.waitUntil(() => box.keptState!.templates === 0, { timeout: 60_000 });
});
