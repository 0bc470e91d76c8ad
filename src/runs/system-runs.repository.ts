import { Injectable } from '@nestjs/common';

import { insertAuditEvents } from '../audit/index.js';
import type { ApprovalPolicy } from '../core/access/caller.js';
import type { Role } from '../core/access/roles.js';
import { Database } from '../core/database/database.js';
import { type RawJson, stringifyJson } from '../core/json/raw-json.js';
import { Outbox } from '../core/outbox/outbox.js';
import type { VersionFacts } from '../scripts/index.js';
import type { ScriptStatus } from '../scripts/script.status.js';
import { scriptIsVisible } from '../core/access/script-visibility.js';
import { insertRunEvent } from './run-event-data.sql.js';
import type { RunInterface, RunPhase, RunStatus } from './run.status.js';
import type { SystemRunOrder } from './system-runs.js';

/** Everything that decides about an order, as it is now. */
export interface OrderCircumstances {
  id: string;
  slug: string;
  name: string;
  ownerUserId: string | null;
  status: ScriptStatus;
  scriptPolicy: ApprovalPolicy;
  versionId: string | null;
  environment: string;
  environmentPolicy: ApprovalPolicy;
  agentsAllowed: boolean;
  /** The environment or the workspace is deleted. */
  gone: boolean;
  /** The creator's role in the workspace; `admin` for an API key's order, null where the creator has left. */
  role: Role | null;
  visible: boolean;
}

export type RunnableVersionFacts = Pick<
  VersionFacts,
  'versionId' | 'versionNumber' | 'inputSchema' | 'command' | 'hosts'
>;

/** A run as it is written, with the ids of its event and of its audit entry. */
export interface SystemRunRow {
  id: string;
  workspaceId: string;
  environmentId: string;
  scriptId: string;
  scriptSlug: string;
  versionId: string;
  version: number;
  status: RunStatus;
  phase: RunPhase;
  inputs: RawJson;
  error: string | null;
  startedByUserId: string | null;
  byAgent: boolean;
  interface: RunInterface;
  approvalRequestId: string | null;
  scheduleId: string | null;
  triggerId: string | null;
  hops: number;
  chainEventId: string | null;
  eventId: string;
  auditId: string;
}

@Injectable()
export class SystemRunsRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  circumstances(orders: readonly SystemRunOrder[]): Promise<OrderCircumstances[]> {
    return this.database.query<OrderCircumstances>(CIRCUMSTANCES, [
      orders.map(({ id }) => id),
      orders.map(({ workspaceId }) => workspaceId),
      orders.map(({ environmentId }) => environmentId),
      orders.map(({ scriptId }) => scriptId),
      orders.map(({ createdByUserId }) => createdByUserId),
    ]);
  }

  versions(ids: readonly string[]): Promise<RunnableVersionFacts[]> {
    return this.database.query<RunnableVersionFacts>(
      `SELECT id AS "versionId", number AS "versionNumber", input_schema AS "inputSchema", command, hosts
       FROM script_versions WHERE id = ANY($1)`,
      [ids],
    );
  }

  /** The runs with their events, audit entries and counts, in one statement. */
  async insert(runs: readonly SystemRunRow[]): Promise<void> {
    await this.database.execute(INSERT, [stringifyJson(runs)]);
    this.outbox.wake();
  }
}

const CIRCUMSTANCES = `
  SELECT o.id, s.slug, s.name, s.owner_user_id AS "ownerUserId", s.status, s.approval_policy AS "scriptPolicy", v.id AS "versionId",
    e.name AS environment, e.approval_policy AS "environmentPolicy", e.agents_allowed AS "agentsAllowed",
    (e.deleted_at IS NOT NULL OR w.deleted_at IS NOT NULL) AS gone, r.role,
    COALESCE(${scriptIsVisible({ alias: 's', roleParameter: 'r.role', userParameter: 'o.user_id' })}, false) AS visible
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
      AS o(id, workspace_id, environment_id, script_id, user_id)
    JOIN workspaces w ON w.id = o.workspace_id
    JOIN scripts s ON s.id = o.script_id AND s.workspace_id = w.id
    JOIN environments e ON e.id = o.environment_id AND e.workspace_id = w.id
    LEFT JOIN script_versions v ON v.script_id = s.id AND v.number = s.published_version
    LEFT JOIN memberships m ON m.workspace_id = w.id AND m.user_id = o.user_id
    CROSS JOIN LATERAL (SELECT CASE WHEN o.user_id IS NULL THEN 'admin' ELSE m.role END AS role) AS r`;

const INSERT = `
  WITH ordered AS (
    SELECT * FROM json_to_recordset($1::json) AS o(
      id text, "workspaceId" text, "environmentId" text, "scriptId" text, "scriptSlug" text, "versionId" text,
      version integer, status text, phase text, inputs json, error text, "startedByUserId" text, "byAgent" boolean,
      interface text, "approvalRequestId" text, "scheduleId" text, "triggerId" text, hops integer, "chainEventId" text,
      "eventId" text, "auditId" text)
  ), made AS (
    INSERT INTO runs (id, workspace_id, environment_id, script_id, script_slug, version_id, version, status, phase,
      inputs, error, started_by_user_id, by_agent, interface, approval_request_id, schedule_id, trigger_id, hops, chain_event_id,
      test, finished_at)
    SELECT id, "workspaceId", "environmentId", "scriptId", "scriptSlug", "versionId", version, status, phase, inputs,
      error, "startedByUserId", "byAgent", interface, "approvalRequestId", "scheduleId", "triggerId", hops, "chainEventId",
      false,
      CASE phase WHEN 'finished' THEN now() END
    FROM ordered
    RETURNING *
  ), told AS (${insertRunEvent('(SELECT m.*, o."eventId" FROM made m JOIN ordered o USING (id))', 'r."eventId"')}
  ), audited AS (
    ${insertAuditEvents(`SELECT o."auditId", o."workspaceId", 'run.started', 'system', o."startedByUserId", NULL, NULL,
      'run', o.id, '{}'::jsonb FROM ordered o`)}
  ), counted AS (
    INSERT INTO script_activity AS a (script_id, day, interface, runs, failed, last_run_at)
    SELECT script_id, (started_at AT TIME ZONE 'UTC')::date, interface, count(*),
      count(*) FILTER (WHERE status = 'failed'), max(started_at)
    FROM made GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (script_id, day, interface) DO UPDATE SET runs = a.runs + excluded.runs,
      failed = a.failed + excluded.failed, last_run_at = GREATEST(a.last_run_at, excluded.last_run_at)
  )
  INSERT INTO script_people AS p (script_id, day, user_id, runs)
  SELECT script_id, (started_at AT TIME ZONE 'UTC')::date, started_by_user_id, count(*)
  FROM made WHERE started_by_user_id IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (script_id, day, user_id) DO UPDATE SET runs = p.runs + excluded.runs`;
