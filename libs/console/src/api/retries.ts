import { isProblem } from './problem.js';

const RETRIES = 3;

/** Whether what failed so often already may go well the next time. */
export function mayPass(failures: number, error: unknown): boolean {
  return failures < RETRIES && isProblem(error) && [0, 429, 503].includes(error.status);
}

/** Milliseconds until then. */
export function retryDelay(failures: number, error: unknown): number {
  return (isProblem(error) ? error.retryAfterMs : null) ?? Math.min(500 * 2 ** failures, 5_000);
}

/** Asks again as the pages' queries do, where there is no client of them. */
export async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!mayPass(failures, error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelay(failures, error)));
    }
  }
}
