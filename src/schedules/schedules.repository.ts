import { Injectable } from '@nestjs/common';

import type { Role } from '../core/access/roles.js';
import { boundedPage } from '../core/database/bounded-page.sql.js';
import { Database } from '../core/database/database.js';
import { scriptIsVisible } from '../core/access/script-visibility.js';
import type { ScheduleSettings } from './schedule.changes.js';

export interface ScheduleRow extends ScheduleSettings {
  id: string;
  disabledReason: string | null;
  createdByUserId: string | null;
  nextRunAt: Date | null;
  lastRunAt: Date | null;
  lastRunId: string | null;
}

/** A schedule that is locked for the rest of the transaction, with what decides about its changes. */
export interface LockedScheduleRow extends ScheduleRow {
  byAgent: boolean;
  scriptId: string;
  scriptSlug: string;
  environmentId: string;
  agentsAllowed: boolean;
  now: Date;
}

export interface NewScheduleRow {
  id: string;
  workspaceId: string;
  environmentId: string;
  scriptId: string;
  name: string;
  cron: string;
  timezone: string;
  inputs: Record<string, unknown>;
  byAgent: boolean;
  createdByUserId: string | null;
  nextRunAt: Date | null;
}

export interface ScheduleChange {
  name: string;
  environmentId: string;
  cron: string;
  timezone: string;
  inputs: Record<string, unknown>;
  enabled: boolean;
  byAgent: boolean;
  disabledReason: string | null;
  nextRunAt: Date | null;
}

/** Who looks, as far as it decides which schedules exist for them. */
export interface ScheduleViewer {
  workspaceId: string;
  role: Role;
  /** null for an API key. */
  userId: string | null;
  /** null unless they see one environment only. */
  onlyIn: string | null;
}

export interface ScheduleUseRow {
  id: string;
  name: string;
  cron: string;
  enabled: boolean;
}

const MOST_USES = 100;

@Injectable()
export class SchedulesRepository {
  constructor(private readonly database: Database) {}

  list(viewer: ScheduleViewer, after: string | null, count: number): Promise<ScheduleRow[]> {
    return this.database.query<ScheduleRow>(viewer.onlyIn === null ? LIST : LIST_IN_ENVIRONMENT, [
      ...viewerParameters(viewer),
      after,
      count,
    ]);
  }

  listOfScript(
    viewer: ScheduleViewer,
    scriptId: string,
    after: string | null,
    count: number,
  ): Promise<ScheduleRow[]> {
    return this.database.query<ScheduleRow>(LIST_OF_SCRIPT, [
      ...viewerParameters(viewer),
      after,
      count,
      scriptId,
    ]);
  }

  /** What a script shows of its schedules: the newest. `onlyIn`: of one environment. */
  usesOf(scriptId: string, onlyIn: string | null): Promise<ScheduleUseRow[]> {
    return this.database.query<ScheduleUseRow>(
      `SELECT id, name, cron, enabled FROM schedules
       WHERE script_id = $1 AND ($2::text IS NULL OR environment_id = $2) ORDER BY id DESC LIMIT $3`,
      [scriptId, onlyIn, MOST_USES],
    );
  }

  find(viewer: ScheduleViewer, id: string): Promise<ScheduleRow | null> {
    return this.database.one<ScheduleRow>(FIND, [...viewerParameters(viewer), id]);
  }

  lock(viewer: ScheduleViewer, id: string): Promise<LockedScheduleRow | null> {
    return this.database.one<LockedScheduleRow>(LOCK, [...viewerParameters(viewer), id]);
  }

  async insert(row: NewScheduleRow): Promise<void> {
    await this.database.execute(
      `INSERT INTO schedules (id, workspace_id, environment_id, script_id, name, cron, timezone, inputs, by_agent,
         created_by_user_id, next_run_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      [
        row.id,
        row.workspaceId,
        row.environmentId,
        row.scriptId,
        row.name,
        row.cron,
        row.timezone,
        JSON.stringify(row.inputs),
        row.byAgent,
        row.createdByUserId,
        row.nextRunAt,
      ],
    );
  }

  async change(id: string, row: ScheduleChange): Promise<void> {
    await this.database.execute(
      `UPDATE schedules SET name = $2, environment_id = $3, cron = $4, timezone = $5, inputs = $6, enabled = $7,
         by_agent = $8, disabled_reason = $9, next_run_at = $10
       WHERE id = $1`,
      [
        id,
        row.name,
        row.environmentId,
        row.cron,
        row.timezone,
        JSON.stringify(row.inputs),
        row.enabled,
        row.byAgent,
        row.disabledReason,
        row.nextRunAt,
      ],
    );
  }

  async delete(id: string): Promise<void> {
    await this.database.execute('DELETE FROM schedules WHERE id = $1', [id]);
  }
}

function viewerParameters({ workspaceId, role, userId, onlyIn }: ScheduleViewer): unknown[] {
  return [workspaceId, role, userId, onlyIn];
}

const COLUMNS = `
  s.id, s.name, e.name AS environment, s.cron, s.timezone, s.inputs, s.enabled, s.disabled_reason AS "disabledReason",
  s.created_by_user_id AS "createdByUserId", s.next_run_at AS "nextRunAt", s.last_run_at AS "lastRunAt",
  s.last_run_id AS "lastRunId"`;

const TABLES = `
  FROM schedules s JOIN environments e ON e.id = s.environment_id JOIN scripts c ON c.id = s.script_id`;

const VISIBLE = scriptIsVisible({ alias: 'c', roleParameter: '$2', userParameter: '$3' });
const MAY_SEE = `s.workspace_id = $1 AND ($4::text IS NULL OR s.environment_id = $4) AND ${VISIBLE}`;
const list = (condition: string): string =>
  boundedPage({
    candidates: `SELECT s.id, s.bytes ${TABLES} WHERE ${MAY_SEE} AND ${condition} AND s.id < coalesce($5, '~')
      ORDER BY s.id DESC LIMIT $6`,
    columns: COLUMNS,
    tables: `FROM page JOIN schedules s ON s.id = page.id JOIN environments e ON e.id = s.environment_id`,
  });

const LIST = list('true');
const LIST_IN_ENVIRONMENT = list('s.environment_id = $4');
const LIST_OF_SCRIPT = list('s.script_id = $7');
const FIND = `SELECT ${COLUMNS} ${TABLES} WHERE ${MAY_SEE} AND s.id = $5`;
const LOCK = `
  SELECT ${COLUMNS}, s.by_agent AS "byAgent", s.script_id AS "scriptId", c.slug AS "scriptSlug",
    s.environment_id AS "environmentId", e.agents_allowed AS "agentsAllowed", clock_timestamp() AS now
  ${TABLES} WHERE ${MAY_SEE} AND s.id = $5 FOR UPDATE OF s`;
