import { type Run, runsGet } from '@gatehouse/client/operations';
import { queryOptions, useQuery } from '@tanstack/react-query';

import { isProblem } from '../../../api/problem.js';

/** A chain that triggers make ends after eight; runs that scripts start may go on for longer. */
const MOST = 10;

export interface CausesAbove {
  /** The runs before a run, the first one first. */
  runs: Run[];
  /** Whether there are more before the first of these. */
  isCut: boolean;
  /** What stands before the first may not be seen, or is gone. */
  isHidden: boolean;
}

/** The way from a run back to the one with which it all began. */
export function useCausesAbove(run: Run): CausesAbove | undefined {
  const { data } = useQuery({ ...causesQuery(run), enabled: causingRunOf(run) !== null });
  return causingRunOf(run) === null ? { runs: [], isCut: false, isHidden: false } : data;
}

/** The run directly before it. */
export function causingRunOf({ causedBy }: Pick<Run, 'causedBy'>): string | null {
  return causedBy?.type === 'run' || causedBy?.type === 'rerun' ? causedBy.id : null;
}

const causesQuery = (run: Run) =>
  queryOptions({
    // Made stale by the same events as a run.
    queryKey: [{ _id: 'runsGet', above: run.id }],
    queryFn: ({ signal }) => causesAbove(run, signal),
  });

async function causesAbove(run: Run, signal: AbortSignal): Promise<CausesAbove> {
  const runs: Run[] = [];
  let next = causingRunOf(run);
  while (next !== null && runs.length < MOST) {
    try {
      const { data } = await runsGet({ path: { runId: next }, signal, throwOnError: true });
      runs.unshift(data);
      next = causingRunOf(data);
    } catch (error) {
      if (isProblem(error) && error.status === 404) return { runs, isCut: false, isHidden: true };
      throw error;
    }
  }
  return { runs, isCut: next !== null, isHidden: false };
}
