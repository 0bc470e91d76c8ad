/** Between two ticks further apart than this, nobody could reach the database, nor renew a lease. */
const MOST_SECONDS_A_TICK = 6;

/** SQL: counts on from the last row by the database's clock. */
export const TICK = `
  INSERT INTO lease_clock (at, seconds)
  SELECT now(), COALESCE(last.seconds + LEAST(extract(epoch FROM now() - last.at), ${MOST_SECONDS_A_TICK}), 0)
  FROM (VALUES (1)) AS one LEFT JOIN (SELECT at, seconds FROM lease_clock ORDER BY at DESC LIMIT 1) AS last ON true
  WHERE last.at IS NULL OR last.at < now() - interval '1 second'
  ON CONFLICT DO NOTHING`;
