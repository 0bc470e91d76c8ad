import type { RJSFSchema } from '@rjsf/utils';

import { OffThread } from '../off-thread.js';
import type { CheckQuestion } from './check-worker.js';
import type { FoundProblem } from './found-problems.js';

const LIMIT_MS = 1_000;

const checks = new OffThread<CheckQuestion, FoundProblem[]>(
  () => new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' }),
  LIMIT_MS,
);

/**
 * What is wrong with inputs. Patterns and formats may take forever on some texts, so this is not done by the thread that draws
 * the page. Where it takes too long nothing is found here: the service checks again, and has the last word.
 */
export async function checkInputs(schema: RJSFSchema, inputs: unknown): Promise<FoundProblem[]> {
  return (await checks.ask({ schema, inputs })) ?? [];
}
