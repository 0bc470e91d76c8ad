import { Injectable } from '@nestjs/common';

import type { Role } from '../core/access/roles.js';
import { boundedPage } from '../core/database/bounded-page.sql.js';
import { Database } from '../core/database/database.js';
import { scriptIsVisible } from '../core/access/script-visibility.js';
import type { TriggerSettings } from './trigger.changes.js';

export interface TriggerRow extends TriggerSettings {
  id: string;
  eventType: string;
  disabledReason: string | null;
  createdByUserId: string | null;
  lastFiredAt: Date | null;
}

/** A trigger with what decides about its changes and firings. */
export interface TriggerWithScriptRow extends TriggerRow {
  byAgent: boolean;
  authorUserId: string | null;
  scriptId: string;
  scriptSlug: string;
  environmentId: string;
  agentsAllowed: boolean;
}

export interface NewTriggerRow {
  id: string;
  workspaceId: string;
  environmentId: string;
  scriptId: string;
  name: string;
  eventType: string;
  filter: Record<string, unknown>;
  inputs: Record<string, unknown>;
  byAgent: boolean;
  createdByUserId: string | null;
}

export interface TriggerChange extends Omit<TriggerSettings, 'environment'> {
  environmentId: string;
  byAgent: boolean;
  authorUserId: string | null;
  disabledReason: string | null;
}

/** Who looks, as far as it decides which triggers exist for them: those of the environment in which they act. */
export interface TriggerViewer {
  workspaceId: string;
  role: Role;
  /** null for an API key. */
  userId: string | null;
  environmentId: string;
}

@Injectable()
export class TriggersRepository {
  constructor(private readonly database: Database) {}

  list(viewer: TriggerViewer, after: string | null, count: number): Promise<TriggerRow[]> {
    return this.database.query<TriggerRow>(LIST, [...viewerParameters(viewer), after, count]);
  }

  listOfScript(
    viewer: TriggerViewer,
    scriptId: string,
    after: string | null,
    count: number,
  ): Promise<TriggerRow[]> {
    return this.database.query<TriggerRow>(LIST_OF_SCRIPT, [
      ...viewerParameters(viewer),
      after,
      count,
      scriptId,
    ]);
  }

  find(viewer: TriggerViewer, id: string): Promise<TriggerWithScriptRow | null> {
    return this.database.one<TriggerWithScriptRow>(FIND, [...viewerParameters(viewer), id]);
  }

  /** As `find`, and neither changed nor fired by anybody else until the transaction ends. */
  lock(viewer: TriggerViewer, id: string): Promise<TriggerWithScriptRow | null> {
    return this.database.one<TriggerWithScriptRow>(LOCK, [...viewerParameters(viewer), id]);
  }

  async insert(row: NewTriggerRow): Promise<void> {
    await this.database.execute(
      `INSERT INTO triggers (id, workspace_id, environment_id, script_id, name, event_type, filter, inputs, by_agent,
         created_by_user_id, author_user_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)`,
      [
        row.id,
        row.workspaceId,
        row.environmentId,
        row.scriptId,
        row.name,
        row.eventType,
        JSON.stringify(row.filter),
        JSON.stringify(row.inputs),
        row.byAgent,
        row.createdByUserId,
      ],
    );
  }

  async change(id: string, row: TriggerChange): Promise<void> {
    await this.database.execute(
      `UPDATE triggers SET name = $2, environment_id = $3, filter = $4, inputs = $5, enabled = $6, by_agent = $7,
         author_user_id = $8, disabled_reason = $9
       WHERE id = $1`,
      [
        id,
        row.name,
        row.environmentId,
        JSON.stringify(row.filter),
        JSON.stringify(row.inputs),
        row.enabled,
        row.byAgent,
        row.authorUserId,
        row.disabledReason,
      ],
    );
  }

  async delete(id: string): Promise<void> {
    await this.database.execute('DELETE FROM triggers WHERE id = $1', [id]);
  }
}

function viewerParameters({ workspaceId, role, userId, environmentId }: TriggerViewer): unknown[] {
  return [workspaceId, role, userId, environmentId];
}

const COLUMNS = `
  t.id, t.name, e.name AS environment, t.event_type AS "eventType", t.filter, t.inputs, t.enabled,
  t.disabled_reason AS "disabledReason", t.created_by_user_id AS "createdByUserId",
  t.last_fired_at AS "lastFiredAt"`;

const WITH_SCRIPT = `${COLUMNS}, t.by_agent AS "byAgent", t.author_user_id AS "authorUserId",
  t.script_id AS "scriptId", c.slug AS "scriptSlug", t.environment_id AS "environmentId",
  e.agents_allowed AS "agentsAllowed"`;

const TABLES = `
  FROM triggers t JOIN environments e ON e.id = t.environment_id JOIN scripts c ON c.id = t.script_id`;

const VISIBLE = scriptIsVisible({ alias: 'c', roleParameter: '$2', userParameter: '$3' });
const MAY_SEE = `t.workspace_id = $1 AND t.environment_id = $4 AND ${VISIBLE}`;
const list = (condition: string): string =>
  boundedPage({
    candidates: `SELECT t.id, t.bytes ${TABLES} WHERE ${MAY_SEE} AND ${condition} AND t.id < coalesce($5, '~')
      ORDER BY t.id DESC LIMIT $6`,
    columns: COLUMNS,
    tables: `FROM page JOIN triggers t ON t.id = page.id JOIN environments e ON e.id = t.environment_id`,
  });

const LIST = list('true');
const LIST_OF_SCRIPT = list('t.script_id = $7');
const FIND = `SELECT ${WITH_SCRIPT} ${TABLES} WHERE ${MAY_SEE} AND t.id = $5`;
const LOCK = `${FIND} FOR UPDATE OF t`;
