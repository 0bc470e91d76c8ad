/*
 * Counts for the statistics of scripts, each for use within the statement that starts or ends runs. `runs` is a relation
 * with the columns of `runs`; tests and plans are not counted.
 */

const COUNTED = 'NOT test AND NOT plan';

const DAY_OF = (moment: string): string => `(${moment} AT TIME ZONE 'UTC')::date`;

/** Counts runs that were started, by script, day and interface. One that failed at once is counted as failed, too. */
export const countStartedRuns = (runs: string): string => `
  INSERT INTO script_activity AS a (script_id, day, interface, runs, failed, last_run_at)
  SELECT script_id, ${DAY_OF('started_at')}, interface, count(*), count(*) FILTER (WHERE status = 'failed'), max(started_at)
  FROM ${runs} WHERE ${COUNTED} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (script_id, day, interface) DO UPDATE SET runs = a.runs + excluded.runs,
    failed = a.failed + excluded.failed, last_run_at = GREATEST(a.last_run_at, excluded.last_run_at)`;

/** Counts runs that were started, by script, day and person. */
export const countStartingPeople = (runs: string): string => `
  INSERT INTO script_people AS p (script_id, day, user_id, runs)
  SELECT script_id, ${DAY_OF('started_at')}, started_by_user_id, count(*)
  FROM ${runs} WHERE ${COUNTED} AND started_by_user_id IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (script_id, day, user_id) DO UPDATE SET runs = p.runs + excluded.runs`;

/** Counts how a run ended. */
export const countEndedRun = (run: string): string => `
  INSERT INTO script_activity AS a (script_id, day, interface, succeeded, failed)
  SELECT script_id, ${DAY_OF('finished_at')}, interface, (status = 'succeeded')::int, (status = 'failed')::int
  FROM ${run} WHERE ${COUNTED} AND status IN ('succeeded', 'failed')
  ON CONFLICT (script_id, day, interface)
    DO UPDATE SET succeeded = a.succeeded + excluded.succeeded, failed = a.failed + excluded.failed`;
