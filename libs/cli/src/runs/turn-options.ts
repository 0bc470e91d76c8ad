import type { StartOptions } from '@gatehouse/client';

import { WrongUse } from '../failure/command-failure.js';
import { endOf } from '../general/moment.js';
import type { OwnOptions } from './own-options.js';

/** When the run may begin, when it expires, and which go before it. Options that commander has read are in camel case. */
export function turnOf(
  options: OwnOptions & { startAt?: string; expiresAt?: string },
): Pick<StartOptions, 'startAt' | 'expiresAt' | 'priority'> {
  const startAt = options['start-at'] ?? options.startAt;
  const expiresAt = options['expires-at'] ?? options.expiresAt;
  const { priority } = options;
  if (priority !== undefined && !/^-?\d+$/.test(priority)) {
    throw new WrongUse(`--priority has to be a whole number, not "${priority}".`, 'Give one from -10 to 10.');
  }
  return {
    ...(startAt !== undefined && { startAt: endOf('--start-at', startAt) }),
    ...(expiresAt !== undefined && { expiresAt: endOf('--expires-at', expiresAt) }),
    ...(priority !== undefined && { priority: Number(priority) }),
  };
}
