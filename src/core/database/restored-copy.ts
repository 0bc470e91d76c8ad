/**
 * A table that only a copy has: `restore` makes it before anything else and `resume` drops it. While it is there, the copy
 * does nothing by itself; while it says no end, the copy is not whole and nothing starts on it.
 */
export const RESTORED_COPY = 'restored_copy';

/** `partial`: it was cut off. `held`: it is whole, and was not told yet to go on. */
export type CopyState = 'none' | 'partial' | 'held';

type Ask = (statement: string) => Promise<unknown>;

/** What the database is, by whichever way statements are sent. */
export async function copyState(ask: Ask): Promise<CopyState> {
  const [found] = (await ask(`SELECT to_regclass('${RESTORED_COPY}') IS NOT NULL AS there`)) as {
    there: boolean;
  }[];
  if (!found!.there) return 'none';
  const [copy] = (await ask(`SELECT finished_at IS NOT NULL AS whole FROM ${RESTORED_COPY}`)) as {
    whole: boolean;
  }[];
  return copy?.whole ? 'held' : 'partial';
}

/** @throws Error where a restore was cut off */
export async function assertWholeCopy(ask: Ask): Promise<void> {
  if ((await copyState(ask)) !== 'partial') return;
  throw new Error(
    'This database is part of a copy that was cut off. Carry out the same `restore` or `move-database` again.',
  );
}
