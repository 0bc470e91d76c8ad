import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_MS = 15_000;

/** What a way does, which has to end in time. @throws Error where it does not */
export async function inTime<T>(work: () => Promise<T> | T, limit = LONGEST_MS): Promise<T> {
  const waiting = new AbortController();
  const late = sleep(limit, undefined, { signal: waiting.signal }).then(() => {
    throw new Error(`It did not end within ${limit / 1000} s.`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work(), late]);
  } finally {
    waiting.abort();
  }
}
