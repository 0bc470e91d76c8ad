import type { Run } from '@gatehouse/client';

import type { Context } from '../context.js';
import { first } from '../output/first.js';
import { printList } from '../output/print.js';
import { labelText } from './label-options.js';
import { filtersOf, type RunFilterOptions } from './run-filter-options.js';

export const STATUSES: readonly Run['status'][] = [
  'awaiting_approval',
  'running',
  'succeeded',
  'failed',
  'cancelled',
];

interface ListOptions extends RunFilterOptions {
  limit: string;
}

export default async function listRuns({ options, gatehouse }: Context<ListOptions>): Promise<void> {
  const list = (await gatehouse()).runs.list({
    ...filtersOf(options, STATUSES),
    // A page is no larger than what is shown.
    limit: Math.min(Number(options.limit) || 1, 100),
  });
  await printList(await first(list, options.limit), options, [
    ['id', ({ id }) => id],
    ['script', ({ script }) => script.slug],
    ['status', ({ status: of }) => of],
    ['through', (run) => run.interface],
    ['started', ({ startedAt }) => startedAt],
    ['ms', ({ durationMs }) => durationMs],
    ['labels', ({ labels }) => labelText(labels)],
  ]);
}
