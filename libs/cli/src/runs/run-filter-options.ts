import type { Run } from '@gatehouse/client';

import { WrongUse } from '../failure/command-failure.js';
import { momentOf } from '../general/moment.js';

/** What narrows which runs are shown, or meant. */
export interface RunFilterOptions {
  script?: string;
  status?: string;
  label?: string[];
  search?: string;
  minSeconds?: string;
  plan?: boolean;
  causedBy?: string;
  error?: string;
  since?: string;
  until?: string;
}

export const NARROWING = [
  'script',
  'status',
  'label',
  'search',
  'minSeconds',
  'plan',
  'causedBy',
  'error',
  'since',
  'until',
] as const satisfies readonly (keyof RunFilterOptions)[];

/**
 * As the service takes them.
 *
 * @param statuses that there are
 */
export function filtersOf(options: RunFilterOptions, statuses: readonly Run['status'][]) {
  const { script, status, label, search, minSeconds, plan, causedBy, error, since, until } = options;
  for (const one of status?.split(',') ?? []) {
    if (!statuses.some((known) => known === one))
      throw new WrongUse(`"${one}" is no status for this.`, `There are: ${statuses.join(', ')}`);
  }
  return {
    ...(script !== undefined && { script }),
    ...(status !== undefined && { status }),
    ...(label !== undefined && { label }),
    ...(search !== undefined && { q: search }),
    ...(minSeconds !== undefined && { minSeconds: secondsOf(minSeconds) }),
    ...(plan !== undefined && { plan: plan ? ('true' as const) : ('false' as const) }),
    ...(causedBy !== undefined && { causedBy }),
    ...(error !== undefined && { errorId: error }),
    ...(since !== undefined && { since: momentOf('--since', since) }),
    ...(until !== undefined && { until: momentOf('--until', until) }),
  };
}

function secondsOf(text: string): number | string {
  if (!/^\d+[smhd]?$/.test(text))
    throw new WrongUse(`--min-seconds takes a number of seconds or such as 5m, not "${text}".`);
  return /^\d+$/.test(text) ? Number(text) : text;
}
