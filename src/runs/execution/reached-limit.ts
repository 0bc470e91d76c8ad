import { USUAL_RESOURCES } from '../../scripts/index.js';
import type { ClaimedRun } from './claimed-run.js';

const NO_SPACE = /\bENOSPC\b|No space left on device/i;
const NO_PROCESS =
  /can't start new thread|\bfork: .*temporarily unavailable|cannot fork|BlockingIOError: \[Errno 11\]|\bspawn \S+ EAGAIN\b|can't create thread|pthread_create/i;

/**
 * Names the limit of the box that an error speaks of, as the kernel says of it only that there is no room. Memory is not one
 * of them: there the kernel says so itself.
 *
 * @param lastError what the program printed as the reason of its end
 */
export function reachedLimit(
  lastError: string | null,
  { resources }: Pick<ClaimedRun, 'resources'>,
): string | null {
  const { tmp, processes } = resources ?? USUAL_RESOURCES;
  if (lastError === null) return null;
  if (NO_SPACE.test(lastError)) return `its /tmp holds ${tmp} MiB`;
  return NO_PROCESS.test(lastError) ? `it may have ${processes} processes and threads` : null;
}
