import pg from 'pg';

/** How the runs of a month are spread: the newest a minute ago, the oldest four weeks. */
const SPAN = `interval '28 days'`;

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
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
