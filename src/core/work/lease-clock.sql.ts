/** Between two ticks further apart than this, nobody could reach the database, nor renew a lease. */
const MOST_SECONDS_A_TICK = 6;

/** SQL: counts on from the last row by the database's clock. */
export const TICK = `
  INSERT INTO lease_clock (at, seconds)
  SELECT now(), COALESCE(last.seconds + LEAST(extract(epoch FROM now() - last.at), ${MOST_SECONDS_A_TICK}), 0)
  FROM (VALUES (1)) AS one LEFT JOIN (SELECT at, seconds FROM lease_clock ORDER BY at DESC LIMIT 1) AS last ON true
  WHERE last.at IS NULL OR last.at < now() - interval '1 second'
  ON CONFLICT DO NOTHING`;

/** How long a worker has a row without renewing its lease. */
export const LEASE = `interval '20 seconds'`;

/** SQL, as part of claims and sweeps. Condition on a row with such a lease: that long was the database reached, and the lease was not renewed. */
export const LEASE_IS_LOST = `lease_until < ${LEASE} + (
  SELECT at FROM lease_clock WHERE seconds <= (SELECT max(seconds) FROM lease_clock) - 20 ORDER BY at DESC LIMIT 1)`;
