import type { RunOperation } from '@gatehouse/client';

import type { Context } from '../context.js';
import { first } from '../output/first.js';
import { type Column, printList, printOne } from '../output/print.js';

const DETAILS: readonly Column<RunOperation>[] = [
  ['Operation', ({ id }) => id],
  ['Does', ({ kind }) => kind],
  ['Status', ({ status }) => status],
  ['Runs', ({ matched }) => matched],
  ['Done', ({ done }) => done],
  ['Skipped', ({ skipped }) => skipped],
  ['Failed', ({ failed }) => failed],
  ['Waits', ({ waitsBecause }) => waitsBecause],
  ['Error', ({ error }) => error],
  [
    'Left out',
    ({ leftOut = [] }) => leftOut.map(({ runId, reason }) => `${runId}: ${reason}`).join(' ') || null,
  ],
];

export async function list({ options, gatehouse }: Context<{ limit: string }>): Promise<void> {
  const all = (await gatehouse()).runOperations.list({ limit: Math.min(Number(options.limit) || 1, 100) });
  await printList(await first(all, options.limit), options, [
    ['id', ({ id }) => id],
    ['does', ({ kind }) => kind],
    ['status', ({ status }) => status],
    ['runs', ({ matched }) => matched],
    ['done', ({ done }) => done],
    ['asked', ({ createdAt }) => createdAt],
  ]);
}

export async function view({ args, options, gatehouse }: Context): Promise<void> {
  await printOne(await (await gatehouse()).runOperations.get(args[0]!), options, DETAILS);
}

export async function cancel({ args, options, gatehouse }: Context): Promise<void> {
  await printOne(await (await gatehouse()).runOperations.cancel(args[0]!), options, DETAILS);
}
