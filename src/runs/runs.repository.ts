import { Injectable } from '@nestjs/common';

import { type AuditActor, auditParameters, insertAuditEvent } from '../audit/audit-trail.js';
import type { Caller, WorkspaceCaller } from '../core/access/caller.js';
import type { Role } from '../core/access/roles.js';
import { rowsBefore } from '../core/work/fair-claim.sql.js';
import { newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import type { RawJson } from '../core/json/raw-json.js';
import { Outbox } from '../core/outbox/outbox.js';
import { scriptIsVisible } from '../core/access/script-visibility.js';
import { admitRun } from '../usage/usage.sql.js';
import { RUN_QUEUE } from './run-queue.sql.js';
import { insertRunEvent } from './run-event-data.sql.js';
import type { RunRow, SingleRunRow } from './run.presenter.js';
import type { RunInterface, RunPhase, RunStatus } from './run.status.js';

export interface NewRun {
  id: string;
  workspaceId: string;
  environmentId: string;
  scriptId: string;
  scriptSlug: string;
  versionId: string;
  version: number;
  /** Of the request that it waits for; null: it waits for nobody. */
  approvalRequestId: string | null;
  inputs: RawJson;
  startedByUserId: string | null;
  credentialId: string | null;
  credentialType: string | null;
  credentialName: string | null;
  byAgent: boolean;
  interface: RunInterface;
  scheduleId: string | null;
  triggerId: string | null;
  test: boolean;
}

/** Parameters of `admitRun`. */
export interface RunLimits {
  runs: string;
  seconds: string;
}

export interface RunFilters {
  script?: string | undefined;
  status?: RunStatus | undefined;
  environment?: string | undefined;
  interface?: RunInterface | undefined;
  scheduleId?: string | undefined;
  triggerId?: string | undefined;
}

/** What a rerun takes over from an earlier run. */
export interface RunOrigin {
  scriptSlug: string;
  version: number;
  /** As JSON text. */
  inputs: string;
  test: boolean;
}

@Injectable()
export class RunsRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /**
   * The run with its event, its audit entry and its counts, in one statement. False: a limit of the plan does not allow
   * it, and nothing was written.
   */
  async insert(run: NewRun, by: Caller | AuditActor, limits: RunLimits): Promise<boolean> {
    const held = run.approvalRequestId !== null;
    const status: RunStatus = held ? 'awaiting_approval' : 'running';
    const { count } = await this.database.execute(INSERT_RUN, [
      run.id,
      run.workspaceId,
      run.environmentId,
      run.scriptId,
      run.scriptSlug,
      run.versionId,
      run.version,
      status,
      held ? 'held' : 'queued',
      run.inputs.text,
      run.startedByUserId,
      run.credentialId,
      run.credentialType,
      run.credentialName,
      run.byAgent,
      run.interface,
      run.scheduleId,
      run.triggerId,
      run.test,
      newId('event'),
      run.approvalRequestId,
      ...auditParameters(run.workspaceId, by, 'run.started', { type: 'run', id: run.id }),
      limits.runs,
      limits.seconds,
    ]);
    if (count === 1) this.outbox.wake();
    return count === 1;
  }

  /** A single run, if the caller may see it. */
  find(id: string, caller: WorkspaceCaller): Promise<SingleRunRow | null> {
    const parameters = [id, caller.workspace.id, caller.bound ? caller.environment.id : null];
    const seesAll = caller.role === 'owner' || caller.role === 'admin';
    return this.database.one<SingleRunRow>(
      FIND_RUN[caller.role],
      seesAll ? parameters : [...parameters, caller.person!.id],
    );
  }

  origin(id: string): Promise<RunOrigin | null> {
    return this.database.one<RunOrigin>(
      `SELECT script_slug AS "scriptSlug", version, inputs::text AS inputs, test FROM runs WHERE id = $1`,
      [id],
    );
  }

  async timeoutSeconds(id: string): Promise<number> {
    const row = await this.database.one<{ seconds: number }>(
      `SELECT v.timeout_seconds AS seconds FROM runs r JOIN script_versions v ON v.id = r.version_id WHERE r.id = $1`,
      [id],
    );
    return row!.seconds;
  }

  list(caller: WorkspaceCaller, filters: RunFilters, after: string | null, count: number): Promise<RunRow[]> {
    const parameters: unknown[] = [caller.workspace.id];
    const bind = (value: unknown): string => `$${parameters.push(value)}`;
    const conditions = ['r.workspace_id = $1'];
    if (after !== null) conditions.push(`r.id < ${bind(after)}`);
    if (caller.bound) conditions.push(`r.environment_id = ${bind(caller.environment.id)}`);
    if (filters.environment !== undefined) {
      conditions.push(`r.environment_id = (
        SELECT id FROM environments
        WHERE workspace_id = $1 AND name = ${bind(filters.environment)} AND deleted_at IS NULL)`);
    }
    if (filters.script !== undefined) {
      conditions.push(
        `r.script_id = (SELECT id FROM scripts WHERE workspace_id = $1 AND slug = ${bind(filters.script)})`,
      );
    }
    if (filters.status !== undefined) conditions.push(`r.status = ${bind(filters.status)}`);
    if (filters.interface !== undefined) conditions.push(`r.interface = ${bind(filters.interface)}`);
    if (filters.scheduleId !== undefined) conditions.push(`r.schedule_id = ${bind(filters.scheduleId)}`);
    if (filters.triggerId !== undefined) conditions.push(`r.trigger_id = ${bind(filters.triggerId)}`);
    if (caller.role === 'guest') {
      conditions.push(`r.started_by_user_id = ${bind(caller.person!.id)}`);
    } else if (caller.role === 'member') {
      const userParameter = bind(caller.person!.id);
      conditions.push(scriptIsVisible({ alias: 's', roleParameter: "'member'", userParameter }));
    }
    // The limit stands in the text: only when the planner knows that it is small does it walk the index.
    return this.database.query<RunRow>(
      `SELECT ${RUN_COLUMNS} ${RUN_TABLES} ${caller.role === 'member' ? WITH_SCRIPT : ''}
       WHERE ${conditions.join(' AND ')} ORDER BY r.id DESC LIMIT ${count}`,
      parameters,
    );
  }

  /**
   * Ends a run that no worker has, or asks its worker to. Returns the phase that it was in, or null where it is
   * finished already.
   */
  async cancel(id: string): Promise<RunPhase | null> {
    const row = await this.database.one<{ before: RunPhase }>(CANCEL_RUN, [id, newId('event')]);
    this.outbox.wake();
    return row?.before ?? null;
  }
}

const RUN_COLUMNS = `
  r.id, r.script_id AS "scriptId", r.script_slug AS "scriptSlug", r.version, e.name AS environment, r.status, r.phase,
  r.error, r.started_by_user_id AS "startedByUserId", r.credential_type AS "credentialType",
  r.credential_name AS "credentialName", r.interface, r.approval_request_id AS "approvalRequestId",
  r.schedule_id AS "scheduleId", r.trigger_id AS "triggerId", r.progress, r.progress_message AS "progressMessage",
  r.test, r.log_lines AS "logLines", r.started_at AS "startedAt", r.execution_started_at AS "executionStartedAt",
  r.finished_at AS "finishedAt", r.duration_ms AS "durationMs"`;

const RUN_TABLES = 'FROM runs r JOIN environments e ON e.id = r.environment_id';
const WITH_SCRIPT = 'JOIN scripts s ON s.id = r.script_id';

const findRun = (joined: string, visible: string): string => `
  SELECT ${RUN_COLUMNS}, r.inputs::text AS inputs, r.output::text AS output, r.network, EXISTS (SELECT FROM files f WHERE f.run_id = r.id) AS "hasFiles",
    CASE WHEN r.phase = 'queued' THEN ${rowsBefore(RUN_QUEUE, 'r')} END AS "queuedBehind"
  ${RUN_TABLES} ${joined}
  WHERE r.id = $1 AND r.workspace_id = $2 AND ($3::text IS NULL OR r.environment_id = $3) ${visible}`;

/** By what a viewer may see, so that those who see everything pay for no further look-up. */
const FIND_RUN: Record<Role, string> = {
  owner: findRun('', ''),
  admin: findRun('', ''),
  member: findRun(
    WITH_SCRIPT,
    `AND ${scriptIsVisible({ alias: 's', roleParameter: "'member'", userParameter: '$4' })}`,
  ),
  guest: findRun('', 'AND r.started_by_user_id = $4'),
};

const INSERT_RUN = `
  WITH admitted AS (${admitRun({ workspace: '$2', runs: '$32', seconds: '$33' })}
  ), made AS (
    INSERT INTO runs (id, workspace_id, environment_id, script_id, script_slug, version_id, version, status, phase,
      inputs, started_by_user_id, credential_id, credential_type, credential_name, by_agent, interface, schedule_id,
      trigger_id, test, approval_request_id)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $21 FROM admitted
    RETURNING *
  ), told AS (${insertRunEvent('made', '$20')}
  ), audited AS (
    ${insertAuditEvent(22, 'made')}
  ), counted AS (
    INSERT INTO script_activity AS a (script_id, day, interface, runs, last_run_at)
    SELECT script_id, (started_at AT TIME ZONE 'UTC')::date, interface, 1, started_at FROM made WHERE NOT test
    ON CONFLICT (script_id, day, interface)
      DO UPDATE SET runs = a.runs + 1, last_run_at = GREATEST(a.last_run_at, excluded.last_run_at)
  ), met AS (
    INSERT INTO script_people AS p (script_id, day, user_id, runs)
    SELECT script_id, (started_at AT TIME ZONE 'UTC')::date, started_by_user_id, 1
    FROM made WHERE NOT test AND started_by_user_id IS NOT NULL
    ON CONFLICT (script_id, day, user_id) DO UPDATE SET runs = p.runs + 1
  )
  SELECT FROM made`;

const CANCEL_RUN = `
  WITH target AS (
    SELECT id, phase FROM runs WHERE id = $1 AND phase <> 'finished' FOR UPDATE
  ), ended AS (
    UPDATE runs r SET status = 'cancelled', phase = 'finished', finished_at = now(), cancel_requested_at = now()
    FROM target t WHERE r.id = t.id AND t.phase IN ('held', 'queued')
    RETURNING r.*
  ), asked AS (
    UPDATE runs r SET cancel_requested_at = COALESCE(r.cancel_requested_at, now())
    FROM target t WHERE r.id = t.id AND t.phase IN ('starting', 'executing')
  ), told AS (${insertRunEvent('ended', '$2')}
  )
  SELECT t.phase AS before, pg_notify('gatehouse', 'run:' || t.id), pg_notify('gatehouse', 'cancel:' || t.id)
  FROM target t`;
