import { Injectable } from '@nestjs/common';

import { columns, type RowOf } from '../../core/database/columns.js';
import { Database } from '../../core/database/database.js';
import { Schedule } from '../schedule.entity.js';

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

export interface Claim {
  /** How many at most. */
  count: number;
  except?: readonly string[];
  only?: string;
}

export interface FiredSchedule {
  id: string;
  next: Date;
  runId: string;
}

@Injectable()
export class ScheduleFiringRepository {
  constructor(private readonly database: Database) {}

  /** Those that have been due longest, without what other processes have claimed, as far as their inputs are not too much at once. */
  claim({ count, except = [], only }: Claim): Promise<DueSchedule[]> {
    return this.database.query<DueSchedule>(CLAIM, [count, except, only ?? null]);
  }

  /** The ids of those that have been due longest, claimed or not. */
  async due(count: number, except: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(DUE, [count, except]);
    return rows.map(({ id }) => id);
  }

  async advance(fired: readonly FiredSchedule[]): Promise<void> {
    await this.database.execute(ADVANCE, [
      fired.map(({ id }) => id),
      fired.map(({ next }) => next),
      fired.map(({ runId }) => runId),
    ]);
  }

  /** Milliseconds until the next one is due, by the database's clock; null where none is enabled. */
  async nextIn(except: readonly string[]): Promise<number | null> {
    return (await this.database.one<{ ms: number }>(NEXT_IN, [except]))?.ms ?? null;
  }
}

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

/** A due time is fired once: the row stays locked until its next time is stored. */
const CLAIM = `
  WITH due AS MATERIALIZED (
    SELECT * FROM schedules WHERE next_run_at <= now() AND id <> ALL($2) AND ($3::text IS NULL OR id = $3)
    ORDER BY next_run_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ), measured AS (
    SELECT *, count(*) OVER () AS found, row_number() OVER in_order AS place, sum(bytes) OVER in_order AS total
    FROM due WINDOW in_order AS (ORDER BY next_run_at, id)
  )
  SELECT ${COLUMNS}, c.slug AS "scriptSlug", c.name AS "scriptName", s.next_run_at AS due, now() AS now, s.found
  FROM measured s JOIN scripts c ON c.id = s.script_id WHERE s.place = 1 OR s.total <= ${BATCH_BYTES}`;

const DUE = `
  SELECT id FROM schedules WHERE next_run_at <= now() AND id <> ALL($2) ORDER BY next_run_at LIMIT $1`;

const ADVANCE = `
  UPDATE schedules s SET next_run_at = f.next, last_run_at = now(), last_run_id = f.run_id
  FROM unnest($1::text[], $2::timestamptz[], $3::text[]) AS f(id, next, run_id)
  WHERE s.id = f.id`;

const NEXT_IN = `
  SELECT extract(epoch FROM next_run_at - clock_timestamp())::float8 * 1000 AS ms FROM schedules
  WHERE next_run_at IS NOT NULL AND id <> ALL($1) ORDER BY next_run_at LIMIT 1`;
