import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 500;

/**
 * Writes what must not be lost, and so waits until the database is back.
 *
 * @param again is told of each failure; false: it is not tried again, and the failure is thrown
 */
export async function untilWritten<T>(
  write: () => Promise<T>,
  again: (error: unknown) => boolean,
): Promise<T> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!again(error)) throw error;
    }
    await sleep(RETRY_MS);
  }
}
