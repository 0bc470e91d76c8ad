import { untilAborted } from './until-aborted.js';

/** Nobody waits for somebody else's code any more. */
export class TimeIsOver extends Error {
  override name = 'TimeIsOver';
}

/** How long somebody else's code may take. */
interface TimeLimit {
  ms: number;
  /** What is thrown once that time is over; by default `TimeIsOver`. */
  late?: () => Error;
  /** Ends it earlier, with the signal's reason. */
  stop?: AbortSignal;
}

/**
 * What the work comes to, if it ends in time. Nothing can end code that hangs: nobody waits for it any more, and its signal
 * says so.
 */
export async function inTime<T>(
  { ms, late = () => new TimeIsOver(`It did not end within ${ms / 1000} s.`), stop }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(late()), ms);
  const end = (): void => over.abort(stop?.reason);
  stop?.addEventListener('abort', end, { once: true });
  try {
    if (stop?.aborted) end();
    return await Promise.race([work(over.signal), untilAborted(over.signal)]);
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener('abort', end);
  }
}
