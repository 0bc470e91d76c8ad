/* SQL, since these count over many rows: what comes back are no rows of a table. */

/** Today and the 29 days before it. */
export const LATELY = `day > (now() AT TIME ZONE 'UTC')::date - 30`;

export const STATS = `
  SELECT s.id AS "scriptId", COALESCE(a.runs, 0) AS runs, COALESCE(a.succeeded, 0) AS succeeded,
    COALESCE(a.failed, 0) AS failed, COALESCE(a.interfaces, '{}') AS interfaces, p.people, l.at AS "lastRunAt"
  FROM unnest($1::text[]) AS s(id)
    CROSS JOIN LATERAL (
      SELECT sum(i.runs)::bigint AS runs, sum(i.succeeded)::bigint AS succeeded, sum(i.failed)::bigint AS failed,
        jsonb_object_agg(i.interface, i.runs) AS interfaces
      FROM (
        SELECT interface, sum(runs) AS runs, sum(succeeded) AS succeeded, sum(failed) AS failed
        FROM script_activity WHERE script_id = s.id AND ${LATELY} GROUP BY interface) i) a
    CROSS JOIN LATERAL (
      SELECT count(DISTINCT user_id) AS people FROM script_people WHERE script_id = s.id AND ${LATELY}) p
    CROSS JOIN LATERAL (
      SELECT max(last_run_at) AS at FROM script_activity
      WHERE script_id = s.id AND day = (
        SELECT max(day) FROM script_activity WHERE script_id = s.id AND last_run_at IS NOT NULL)) l`;

/** The days of that time, for the `from` of a query builder. */
export const LAST_DAYS = `(SELECT (now() AT TIME ZONE 'UTC')::date - ago AS day FROM generate_series(0, 29) AS s(ago))`;
