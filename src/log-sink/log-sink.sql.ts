/** SQL, since each row gets a number of its own, right after the last one. To be called with the sink's row locked. $1 how many at most. */
export const NUMBER_ENTRIES = `
  WITH new AS (
    SELECT id FROM log_sink_entries WHERE number IS NULL ORDER BY id LIMIT $1
  ), numbered AS (
    UPDATE log_sink_entries e SET number = s.last_number + placed.place
    FROM log_sinks s, (SELECT id, row_number() OVER (ORDER BY id) AS place FROM new) AS placed
    WHERE s.id = 'sink' AND e.id = placed.id RETURNING e.number
  )
  UPDATE log_sinks SET last_number = last_number + (SELECT count(*) FROM numbered) WHERE id = 'sink'`;
