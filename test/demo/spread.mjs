import pg from 'pg';

/** How the runs of a month are spread: the newest a minute ago, the oldest four weeks. */
const SPAN = `interval '28 days'`;

/** What is counted of a duration: the number of its bin. */
const binOf = (ms) => `CASE WHEN ${ms} < 1 THEN 0 ELSE 1 + round(ln(${ms}) / ln(1.05)) END::int`;
const binsOf = (column) => `
  (SELECT coalesce(jsonb_object_agg(bin, many), '{}') FROM (
    SELECT bin, count(*) AS many FROM unnest(array_agg(${column})) AS bin WHERE bin IS NOT NULL GROUP BY bin) AS binned)`;

/** What the service counts as runs end. */
const STATISTICS = `
  WITH ended AS (
    SELECT workspace_id, unit, date_trunc(unit, finished_at, 'UTC') AS at, script_id, environment_id, version, status,
      ${binOf('duration_ms')} AS took,
      ${binOf('extract(epoch FROM execution_started_at - started_at) * 1000')} AS waited
    FROM runs, unnest(ARRAY['hour', 'day']) AS unit WHERE phase = 'finished' AND NOT test)
  INSERT INTO run_statistics
    (workspace_id, unit, at, script_id, environment_id, version, succeeded, failed, cancelled, durations, waits)
  SELECT workspace_id, unit, at, script_id, environment_id, version, count(*) FILTER (WHERE status = 'succeeded'),
    count(*) FILTER (WHERE status = 'failed'), count(*) FILTER (WHERE status = 'cancelled'), ${binsOf('took')}, ${binsOf('waited')}
  FROM ended GROUP BY 1, 2, 3, 4, 5, 6`;

/**
 * Moves what was just done into the last four weeks, in its order: lists and charts of an instance that is minutes old
 * would look like nothing.
 */
export async function spread(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(`
      CREATE TEMPORARY TABLE moved ON COMMIT DROP AS
      SELECT id, now() - interval '1 minute' - ${SPAN} * (1 - rank() OVER (ORDER BY id)::float / count(*) OVER ()) - started_at AS by
      FROM runs WHERE phase = 'finished'`);
    await client.query(`
      UPDATE runs SET started_at = started_at + by, execution_started_at = execution_started_at + by, finished_at = finished_at + by
      FROM moved WHERE moved.id = runs.id`);
    await client.query('DELETE FROM script_activity');
    await client.query(`
      INSERT INTO script_activity (script_id, day, interface, runs, succeeded, failed, last_run_at)
      SELECT script_id, (started_at AT TIME ZONE 'UTC')::date, interface, count(*),
        count(*) FILTER (WHERE status = 'succeeded'), count(*) FILTER (WHERE status = 'failed'), max(started_at)
      FROM runs WHERE NOT test GROUP BY 1, 2, 3`);
    await client.query('DELETE FROM run_statistics');
    await client.query(STATISTICS);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
