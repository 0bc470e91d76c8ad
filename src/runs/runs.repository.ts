import { Injectable } from '@nestjs/common';

import { type AuditActor, auditEvents, givenAuditEvents, insertAuditEvents } from '../audit/index.js';
import type { Caller, WorkspaceCaller } from '../core/access/caller.js';
import type { Role } from '../core/access/roles.js';
import { rowsBefore } from '../core/work/fair-claim.sql.js';
import { newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import { insertColumns } from '../core/database/insert-columns.js';
import { named } from '../core/database/named-parameters.js';
import type { RawJson } from '../core/json/raw-json.js';
import { Outbox } from '../core/outbox/outbox.js';
import { scriptIsVisible } from '../core/access/script-visibility.js';
import { countStartedRuns, countStartingPeople } from '../scripts/stats/script-activity.sql.js';
import { ADMIT_RUN, type RunLimits } from '../usage/index.js';
import { RUN_QUEUE } from './run-queue.sql.js';
import { Run } from './run.entity.js';
import { insertRunEvent } from './run-event-data.sql.js';
import type { RunRow, SingleRunRow } from './run.presenter.js';
import type { RunInterface, RunPhase, RunStatus } from './run.status.js';

/** A run that somebody asks for; what its status depends on is whether it waits for an approval. */
export type NewRun = Omit<Pick<Run, (typeof GIVEN)[number]>, 'inputs'> & { inputs: RawJson };

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
    const { id, workspaceId } = run;
    const held = run.approvalRequestId !== null;
    const { count } = await this.database.execute(
      ...INSERT_RUN({
        ...run,
        ...limits,
        status: held ? 'awaiting_approval' : 'running',
        phase: held ? 'held' : 'queued',
        inputs: run.inputs.text,
        eventId: newId('event'),
        auditEvents: auditEvents([{ workspaceId, by, action: 'run.started', target: { type: 'run', id } }]),
      }),
    );
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

const GIVEN = [
  'id',
  'workspaceId',
  'environmentId',
  'scriptId',
  'scriptSlug',
  'versionId',
  'version',
  'approvalRequestId',
  'inputs',
  'startedByUserId',
  'credentialId',
  'credentialType',
  'credentialName',
  'byAgent',
  'interface',
  'test',
] as const;

const NEW_RUN = insertColumns(Run, ...GIVEN, 'status', 'phase');

const INSERT_RUN = named<typeof NEW_RUN.row & RunLimits & { eventId: string; auditEvents: string }>(`
  WITH admitted AS (${ADMIT_RUN}
  ), made AS (
    INSERT INTO runs (${NEW_RUN.columns}) SELECT ${NEW_RUN.parameters} FROM admitted RETURNING *
  ), told AS (${insertRunEvent('made', ':eventId')}
  ), audited AS (${insertAuditEvents(givenAuditEvents('made'))}
  ), counted AS (${countStartedRuns('made')}
  ), met AS (${countStartingPeople('made')}
  )
  SELECT FROM made`);

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
