import { inTime } from '../../core/time-limit/index.js';

const MOST_MS = 30_000;

/** What was looked at, how it is, and what to do where that is not well. */
export interface Finding {
  name: string;
  state: 'ok' | 'warn' | 'fail';
  found: string;
  cure: string | null;
}

export function ok(name: string, found: string): Finding {
  return { name, state: 'ok', found, cure: null };
}

export function warn(name: string, found: string, cure: string): Finding {
  return { name, state: 'warn', found, cure };
}

export function fail(name: string, found: string, cure: string | null): Finding {
  return { name, state: 'fail', found, cure };
}

/** What an error says that was made for the operator: first what is wrong, then what to do. */
function failure(name: string, error: unknown): Finding {
  const message = error instanceof Error ? error.message : String(error);
  const [, found = message, cure = ''] = /^(.*?\.)\s+(.*)$/s.exec(message) ?? [];
  return fail(name, found, cure || null);
}

/** What an examination finds, or how it fails: none keeps the others from being made. */
export async function examined(
  name: string,
  examine: () => Promise<Finding | Finding[]>,
): Promise<Finding[]> {
  try {
    return [await inTime({ ms: MOST_MS }, examine)].flat();
  } catch (error) {
    return [failure(name, error)];
  }
}
