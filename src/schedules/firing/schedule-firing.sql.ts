import { columns, type RowOf } from '../../core/database/index.js';
import { Schedule } from '../schedule.entity.js';

const COLUMNS = columns(
  Schedule,
  's',
  'id',
  'workspaceId',
  'environmentId',
  'scriptId',
  'cron',
  'timezone',
  'inputs',
  'byAgent',
  'createdByUserId',
);

/** A schedule that is due, locked until the transaction ends. */
export type DueSchedule = RowOf<typeof COLUMNS> & {
  scriptSlug: string;
  scriptName: string;
  due: Date;
  /** By the database's clock. */
  now: Date;
  /** How many were due that no other process has, up to as many as were asked for. */
  found: number;
};

/** What all inputs of a batch take at most, where it is more than one. */
const BATCH_BYTES = 8 * 1024 * 1024;

/**
 * $1 how many, $2 all but these, $3 the only one or null. A claim that ends by a sum of sizes. A due time is fired once: the row
 * stays locked until its next time is stored.
 */
export const CLAIM_DUE = `
  WITH due AS MATERIALIZED (
    SELECT * FROM schedules WHERE next_run_at <= now() AND id <> ALL($2) AND ($3::text IS NULL OR id = $3)
    ORDER BY next_run_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ), measured AS (
    SELECT *, count(*) OVER () AS found, row_number() OVER in_order AS place, sum(bytes) OVER in_order AS total
    FROM due WINDOW in_order AS (ORDER BY next_run_at, id)
  )
  SELECT ${COLUMNS}, c.slug AS "scriptSlug", c.name AS "scriptName", s.next_run_at AS due, now() AS now, s.found
  FROM measured s JOIN scripts c ON c.id = s.script_id WHERE s.place = 1 OR s.total <= ${BATCH_BYTES}`;

/** $1 ids, $2 next times, $3 runs: one statement for all of a batch. */
export const ADVANCE = `
  UPDATE schedules s SET next_run_at = f.next, last_run_at = now(), last_run_id = f.run_id
  FROM unnest($1::text[], $2::timestamptz[], $3::text[]) AS f(id, next, run_id)
  WHERE s.id = f.id`;
