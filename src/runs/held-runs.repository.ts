import { Injectable } from '@nestjs/common';

import { type Role, scriptIsVisible } from '../core/access/index.js';
import { newId } from '../core/crypto/index.js';
import { columns, Database, type RowOf } from '../core/database/index.js';
import { Outbox } from '../core/outbox/index.js';
import type { JsonSchema } from '../../libs/json-schema/index.js';
import type { ScriptStatus } from '../scripts/index.js';
import { insertRunEvent } from './insert-run-event.sql.js';
import { Run } from './run.entity.js';

const RUN_COLUMNS = columns(Run, 'r', 'id', 'phase', 'startedByUserId', 'byAgent');

/** A held run, and all that has to be as it was when it was asked for. */
export interface HeldRun extends RowOf<typeof RUN_COLUMNS> {
  scriptSlug: string;
  scriptStatus: ScriptStatus;
  environment: string;
  environmentGone: boolean;
  /** The role of who started it, `admin` for an API key; null where that person has left. */
  starterRole: Role | null;
  visibleToStarter: boolean;
  agentsAllowed: boolean;
  inputs: Record<string, unknown>;
  inputSchema: JsonSchema;
  /** How many of the files that it was given are still there. */
  filesLeft: number;
}

/** A run's side of an approval: it is held until somebody decides. */
@Injectable()
export class HeldRunsRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** Locks it until the transaction ends, so that it is neither decided twice nor cancelled meanwhile. */
  lock(id: string): Promise<HeldRun | null> {
    return this.database.one<HeldRun>(LOCK, [id]);
  }

  /** Lets workers take it. */
  async release(id: string): Promise<void> {
    await this.database.execute(RELEASE, [id, newId('event')]);
    this.outbox.wake();
  }

  /** Cancels those that are still held, each with a reason. */
  async cancel(runs: readonly { id: string; reason: string }[]): Promise<void> {
    await this.database.execute(CANCEL, [
      runs.map(({ id }) => id),
      runs.map(() => newId('event')),
      runs.map(({ reason }) => reason),
    ]);
    this.outbox.wake();
  }
}

const LOCK = `
  SELECT ${RUN_COLUMNS}, s.slug AS "scriptSlug", s.status AS "scriptStatus", e.name AS environment,
    e.deleted_at IS NOT NULL AS "environmentGone", starter.role AS "starterRole", e.agents_allowed AS "agentsAllowed",
    COALESCE(${scriptIsVisible({ alias: 's', roleParameter: 'starter.role', userParameter: 'r.started_by_user_id' })}, false)
      AS "visibleToStarter",
    r.inputs, v.input_schema AS "inputSchema",
    (SELECT count(*) FROM files f WHERE f.run_id = r.id AND f.direction = 'in' AND f.expires_at > now()) AS "filesLeft"
  FROM runs r JOIN scripts s ON s.id = r.script_id JOIN script_versions v ON v.id = r.version_id
    JOIN environments e ON e.id = r.environment_id
    LEFT JOIN memberships m ON m.workspace_id = r.workspace_id AND m.user_id = r.started_by_user_id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN r.started_by_user_id IS NULL THEN 'admin' ELSE m.role END AS role) AS starter
  WHERE r.id = $1 FOR UPDATE OF r`;

const RELEASE = `
  WITH released AS (
    UPDATE runs SET status = 'running', phase = 'queued' WHERE id = $1 AND phase = 'held' RETURNING *
  ), told AS (${insertRunEvent('released', '$2')}
  )
  SELECT pg_notify('gatehouse', 'run:' || id) FROM released`;

const CANCEL = `
  WITH ended AS (
    UPDATE runs SET status = 'cancelled', phase = 'finished', finished_at = now(), error = o.reason
    FROM unnest($1::text[], $2::text[], $3::text[]) AS o(run_id, event_id, reason)
    WHERE id = o.run_id AND phase = 'held'
    RETURNING runs.*, o.event_id
  ), told AS (${insertRunEvent('ended', 'r.event_id')}
  )
  SELECT pg_notify('gatehouse', 'run:' || id) FROM ended`;
