import type { Run } from '@gatehouse/client/operations';
import {
  runStatisticsReadOptions,
  runsListOptions,
  schedulesListOptions,
} from '@gatehouse/client/react-query';

export const RUNNING_SHOWN = 5;
/** The newest; a workspace with more says so. */
const SCHEDULES = 100;

const LOOK_EVERY_MS = 5_000;

/** One more than is shown tells whether there are more. */
export const runningQuery = () => runsListOptions({ query: { status: 'running', limit: RUNNING_SHOWN + 1 } });

/** The last two days, which the service goes by itself: the page may stay open for long. */
export const hoursQuery = () => runStatisticsReadOptions({ query: { by: 'hour' } });

export const schedulesQuery = () => schedulesListOptions({ query: { limit: SCHEDULES } });

/** No event tells of progress: it is looked at while a run reports it. */
export function progressInterval(runs: readonly Run[]): number | false {
  return runs.some(({ phase, progress }) => phase === 'executing' && progress !== null) && LOOK_EVERY_MS;
}
