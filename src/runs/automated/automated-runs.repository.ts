import { Injectable } from '@nestjs/common';

import { SYSTEM, auditEvents, givenAuditEvents, insertAuditEvents } from '../../audit/index.js';
import { type ApprovalPolicy, type Role, scriptIsVisible } from '../../core/access/index.js';
import { columns, Database, insertColumns, named, type RowOf } from '../../core/database/index.js';
import { type RawJson, stringifyJson } from '../../core/json/index.js';
import { Outbox } from '../../core/outbox/index.js';
import type { JsonSchema } from '../../../libs/json-schema/index.js';
import {
  countStartedRuns,
  countStartingPeople,
  type ScriptStatus,
  ScriptVersion,
} from '../../scripts/index.js';
import { insertRunEvent } from '../insert-run-event.sql.js';
import { BEGUN } from '../run-columns.js';
import { Run } from '../run.entity.js';
import type { AutomatedRunOrder } from './automated-run-order.js';

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

const NEW_RUN = insertColumns(
  Run,
  ...BEGUN,
  'phase',
  'error',
  'scheduleId',
  'triggerId',
  'hops',
  'chainEventId',
);

/** A run as it is written, with the id of its event. */
export type AutomatedRun = Omit<typeof NEW_RUN.row, 'inputs'> & { inputs: RawJson; eventId: string };

const VERSION_COLUMNS = columns(
  ScriptVersion,
  'v',
  'id',
  'number',
  'command',
  'hosts',
  'hostRules',
  'inputSchema',
);
export type RunnableVersion = Omit<RowOf<typeof VERSION_COLUMNS>, 'inputSchema'> & {
  inputSchema: JsonSchema;
};

@Injectable()
export class AutomatedRunsRepository {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  circumstances(orders: readonly AutomatedRunOrder[]): Promise<OrderCircumstances[]> {
    return this.database.query<OrderCircumstances>(CIRCUMSTANCES, [
      orders.map(({ id }) => id),
      orders.map(({ workspaceId }) => workspaceId),
      orders.map(({ environmentId }) => environmentId),
      orders.map(({ scriptId }) => scriptId),
      orders.map(({ createdByUserId }) => createdByUserId),
    ]);
  }

  versions(ids: readonly string[]): Promise<RunnableVersion[]> {
    return this.database.query<RunnableVersion>(
      `SELECT ${VERSION_COLUMNS} FROM script_versions v WHERE v.id = ANY($1)`,
      [ids],
    );
  }

  /** Writes the runs with their events, audit events and counts, in one statement. */
  async insert(runs: readonly AutomatedRun[]): Promise<void> {
    const entries = runs.map(({ id, workspaceId, startedByUserId: userId }) => ({
      workspaceId,
      by: { ...SYSTEM, userId },
      action: 'run.started' as const,
      target: { type: 'run', id },
    }));
    await this.database.execute(...INSERT({ runs: stringifyJson(runs), auditEvents: auditEvents(entries) }));
    this.outbox.wake();
  }
}

const CIRCUMSTANCES = `
  SELECT o.id, s.slug, s.name, s.owner_user_id AS "ownerUserId", s.status, s.approval_policy AS "scriptPolicy",
    v.id AS "versionId", e.name AS environment, e.approval_policy AS "environmentPolicy", e.agents_allowed AS "agentsAllowed",
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

const INSERT = named<{ runs: string; auditEvents: string }>(`
  WITH ordered AS (
    SELECT * FROM ${NEW_RUN.recordset(':runs', '"eventId" text')}
  ), made AS (
    INSERT INTO runs (${NEW_RUN.columns}, finished_at)
    SELECT ${NEW_RUN.given}, CASE phase WHEN 'finished' THEN now() END FROM ordered AS given
    RETURNING *
  ), told AS (${insertRunEvent('(SELECT m.*, o."eventId" FROM made m JOIN ordered o USING (id))', 'r."eventId"')}
  ), audited AS (${insertAuditEvents(givenAuditEvents())}
  ), counted AS (${countStartedRuns('made')}
  )
  ${countStartingPeople('made')}`);
