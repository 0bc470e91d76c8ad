import type { Run } from '@gatehouse/client';

import type { Context } from '../context.js';
import { WrongUse } from '../failure/command-failure.js';
import { momentOf } from '../general/moment.js';
import { first } from '../output/first.js';
import { printList } from '../output/print.js';

const STATUSES: readonly Run['status'][] = [
  'awaiting_approval',
  'running',
  'succeeded',
  'failed',
  'cancelled',
];

export interface RunFilterOptions {
  script?: string;
  status?: string;
  causedBy?: string;
  error?: string;
  since?: string;
  until?: string;
}

interface ListOptions extends RunFilterOptions {
  limit: string;
}

export default async function listRuns({ options, gatehouse }: Context<ListOptions>): Promise<void> {
  const list = (await gatehouse()).runs.list({
    ...filtersOf(options),
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
  ]);
}

/** As the service takes them. */
export function filtersOf(options: RunFilterOptions) {
  const status = STATUSES.find((known) => known === options.status);
  if (options.status !== undefined && !status) {
    throw new WrongUse(`"${options.status}" is no status of a run.`, `There are: ${STATUSES.join(', ')}`);
  }
  return {
    ...(options.script !== undefined && { script: options.script }),
    ...(status && { status }),
    ...(options.causedBy !== undefined && { causedBy: options.causedBy }),
    ...(options.error !== undefined && { errorId: options.error }),
    ...(options.since !== undefined && { since: momentOf('--since', options.since) }),
    ...(options.until !== undefined && { until: momentOf('--until', options.until) }),
  };
}
