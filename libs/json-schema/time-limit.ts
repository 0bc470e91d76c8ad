import { createContext, Script } from 'node:vm';

/** The work did not end in time and was stopped. */
export class TimeLimitPassed extends Error {
  constructor(readonly limitMs: number) {
    super(`not done within ${limitMs} ms`);
  }
}

// A script run with a time limit is watched from another thread, which also stops what it calls: our own functions,
// regular expressions, generated code. The script is the hook; the work is ordinary code. It costs about 0.1 ms.
const hook: { work: () => unknown } = { work: () => undefined };
const context = createContext(hook);
const script = new Script('work()');

/**
 * Runs synchronous work that a stranger's input could make endless, and stops it after `limitMs`.
 * What was being worked on may be left half-done: throw it away.
 *
 * @throws TimeLimitPassed, or what the work throws
 */
export function withinTime<T>(limitMs: number, work: () => T): T {
  hook.work = work;
  try {
    return script.runInContext(context, { timeout: limitMs }) as T;
  } catch (error) {
    if ((error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
      throw new TimeLimitPassed(limitMs);
    }
    throw error;
  } finally {
    hook.work = () => undefined;
  }
}
