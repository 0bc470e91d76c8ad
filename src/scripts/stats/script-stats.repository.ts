import { Injectable } from '@nestjs/common';

import { User } from '../../auth/index.js';
import { columns, Database } from '../../core/database/index.js';
import type { ScriptActivity } from './script-activity.entity.js';
import { ScriptPerson } from './script-person.entity.js';

export interface ScriptStatsRow extends Pick<
  ScriptActivity,
  'scriptId' | 'runs' | 'succeeded' | 'failed' | 'lastRunAt'
> {
  people: number;
  /** Only those that there were runs from. */
  interfaces: Record<string, number>;
}

export type ScriptDayRow = Pick<ScriptActivity, 'day' | 'runs' | 'succeeded' | 'failed'>;

export type ScriptUserRow = Pick<ScriptPerson, 'userId' | 'runs'> & Pick<User, 'name'>;

/** Reads what the runs have counted: a row per script, day and interface, and one per script, day and person. */
@Injectable()
export class ScriptStatsRepository {
  constructor(private readonly database: Database) {}

  /** The counts of all these scripts in one statement; a row for each. */
  ofScripts(scriptIds: readonly string[]): Promise<ScriptStatsRow[]> {
    return this.database.query<ScriptStatsRow>(STATS, [scriptIds]);
  }

  /** Today and the 29 days before it, oldest first. */
  days(scriptId: string): Promise<ScriptDayRow[]> {
    return this.database.query<ScriptDayRow>(DAYS, [scriptId]);
  }

  /** Who ran a script lately, the most frequent first. `onlyUserId` null: everybody. */
  people(scriptId: string, onlyUserId: string | null, count: number): Promise<ScriptUserRow[]> {
    return this.database.query<ScriptUserRow>(PEOPLE, [scriptId, onlyUserId, count]);
  }
}

/** Today and the 29 days before it. */
const LATELY = `day > (now() AT TIME ZONE 'UTC')::date - 30`;

const STATS = `
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

const DAYS = `
  SELECT to_char(d.day, 'YYYY-MM-DD') AS day, COALESCE(sum(a.runs), 0)::bigint AS runs,
    COALESCE(sum(a.succeeded), 0)::bigint AS succeeded, COALESCE(sum(a.failed), 0)::bigint AS failed
  FROM (SELECT (now() AT TIME ZONE 'UTC')::date - ago AS day FROM generate_series(0, 29) AS s(ago)) d
    LEFT JOIN script_activity a ON a.script_id = $1 AND a.day = d.day
  GROUP BY d.day ORDER BY d.day`;

const PEOPLE = `
  SELECT ${columns(ScriptPerson, 'p', 'userId')}, ${columns(User, 'u', 'name')}, sum(p.runs)::bigint AS runs
  FROM script_people p JOIN users u ON u.id = p.user_id
  WHERE p.script_id = $1 AND ($2::text IS NULL OR p.user_id = $2) AND p.${LATELY}
  GROUP BY p.user_id, u.name
  ORDER BY runs DESC, p.user_id
  LIMIT $3`;
