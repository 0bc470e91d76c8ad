/**
 * SQL, since it stands before requests, and takes from several buckets at once.
 *
 * $1 names, $2 bursts, $3 tokens a second, $4 wanted. Refills by the database's clock and grants whole tokens. Buckets are
 * locked in the order of their names, so that two statements never wait for each other.
 */
export const TAKE = `
  WITH asked AS (
    SELECT * FROM unnest($1::text[], $2::float8[], $3::float8[], $4::float8[]) AS a(key, burst, rate, wanted)
  )
  INSERT INTO rate_buckets AS b (key, tokens, granted, updated_at)
  SELECT key, burst - LEAST(wanted, floor(burst)), LEAST(wanted, floor(burst)), clock_timestamp() FROM asked ORDER BY key
  ON CONFLICT (key) DO UPDATE SET (tokens, granted, updated_at) = (
    SELECT filled - LEAST(wanted, floor(filled)), LEAST(wanted, floor(filled)), clock_timestamp()
    FROM (SELECT wanted, LEAST(burst, b.tokens +
      GREATEST(0, extract(epoch FROM clock_timestamp() - b.updated_at)) * rate) AS filled
      FROM asked WHERE asked.key = b.key) AS now_filled)
  RETURNING key, granted, tokens`;
