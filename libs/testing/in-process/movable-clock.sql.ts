/**
 * Functions that take the place of PostgreSQL's own, and add how far the clock was moved. That holds for every
 * statement of a database that does not name their schema. Defaults of columns are bound when tables are made, so these
 * come before.
 */
export const MOVABLE_CLOCK = `
  CREATE SCHEMA gatehouse_testing;
  CREATE TABLE gatehouse_testing.clock (ahead interval NOT NULL);
  INSERT INTO gatehouse_testing.clock VALUES (interval '0');
  ${['now', 'transaction_timestamp', 'statement_timestamp'].map((name) => movable(name, 'STABLE')).join('')}
  ${movable('clock_timestamp', 'VOLATILE')}`;

/** Ours are in the schema that tables are made in, which is the first of the path. */
export const SEARCH_PATH = 'public, pg_catalog';

/** Seconds, so that a day is 24 hours here as it is for `Date`. */
export const SECONDS_OF = `SELECT extract(epoch FROM $1::interval)::float8 AS seconds`;

export const MOVE = `
  UPDATE gatehouse_testing.clock SET ahead = ahead + make_interval(secs => $1)
  RETURNING extract(epoch FROM ahead)::float8 * 1000 AS ms`;

function movable(name: string, volatility: 'STABLE' | 'VOLATILE'): string {
  return `
  CREATE FUNCTION public.${name}() RETURNS timestamptz LANGUAGE sql ${volatility} PARALLEL SAFE
  RETURN pg_catalog.${name}() + (SELECT ahead FROM gatehouse_testing.clock);`;
}
