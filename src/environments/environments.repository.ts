import { Injectable } from '@nestjs/common';

import type { ApprovalPolicy } from '../core/access/caller.js';
import { Database } from '../core/database/database.js';
import type { EnvironmentSettings } from './environment.changes.js';
import type { EnvironmentUses } from './environment.uses.js';

export interface EnvironmentRow extends EnvironmentSettings {
  id: string;
  createdByUserId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface NewEnvironmentRow {
  id: string;
  workspaceId: string;
  name: string;
  approvalPolicy: ApprovalPolicy;
  agentsAllowed: boolean;
  isDefault: boolean;
  createdByUserId: string | null;
}

@Injectable()
export class EnvironmentsRepository {
  constructor(private readonly database: Database) {}

  /** Changes of a workspace's environments take turns, so that there is always exactly one default. */
  async lockWorkspace(workspaceId: string): Promise<void> {
    await this.database.execute('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
  }

  /** null: the name is taken. */
  insert(environment: NewEnvironmentRow): Promise<EnvironmentRow | null> {
    return this.database.one<EnvironmentRow>(
      `INSERT INTO environments (id, workspace_id, name, approval_policy, agents_allowed, is_default, created_by_user_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (workspace_id, name) WHERE deleted_at IS NULL DO NOTHING RETURNING ${RECORD}`,
      [
        environment.id,
        environment.workspaceId,
        environment.name,
        environment.approvalPolicy,
        environment.agentsAllowed,
        environment.isDefault,
        environment.createdByUserId,
      ],
    );
  }

  /** Newest first; only one of them where `onlyId` is given. */
  list(
    workspaceId: string,
    onlyId: string | null,
    after: string | null,
    count: number,
  ): Promise<EnvironmentRow[]> {
    return this.database.query<EnvironmentRow>(
      `SELECT ${RECORD} FROM environments
       WHERE workspace_id = $1 AND deleted_at IS NULL AND ($2::text IS NULL OR id = $2)
         AND id < coalesce($3, '~') ORDER BY id DESC LIMIT $4`,
      [workspaceId, onlyId, after, count],
    );
  }

  findById(workspaceId: string, id: string): Promise<EnvironmentRow | null> {
    return this.database.one<EnvironmentRow>(`${FIND} AND id = $2`, [workspaceId, id]);
  }

  findByName(workspaceId: string, name: string): Promise<EnvironmentRow | null> {
    return this.database.one<EnvironmentRow>(`${FIND} AND name = $2`, [workspaceId, name]);
  }

  /** Locked against being deleted until the transaction ends. null: it is not there. */
  hold(workspaceId: string, id: string): Promise<{ id: string } | null> {
    return this.database.one<{ id: string }>(
      'SELECT id FROM environments WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL FOR KEY SHARE',
      [workspaceId, id],
    );
  }

  /** Locked against whoever holds it; waits for those who do. */
  async lock(id: string): Promise<void> {
    await this.database.execute('SELECT FROM environments WHERE id = $1 FOR UPDATE', [id]);
  }

  async update(id: string, settings: EnvironmentSettings): Promise<EnvironmentRow> {
    const row = await this.database.one<EnvironmentRow>(
      `UPDATE environments SET name = $2, approval_policy = $3, agents_allowed = $4, is_default = $5, updated_at = now()
       WHERE id = $1 RETURNING ${RECORD}`,
      [id, settings.name, settings.approvalPolicy, settings.agentsAllowed, settings.isDefault],
    );
    return row!;
  }

  /** Leaves the workspace without a default until the same transaction makes another one. */
  takeDefault(workspaceId: string): Promise<EnvironmentRow | null> {
    return this.database.one<EnvironmentRow>(
      `UPDATE environments SET is_default = false, updated_at = now()
       WHERE workspace_id = $1 AND is_default AND deleted_at IS NULL RETURNING ${RECORD}`,
      [workspaceId],
    );
  }

  /** With its secret values, and the secrets that have none left. */
  async delete(id: string): Promise<void> {
    const touched = await this.database.query<{ id: string }>(LOCK_SECRETS, [id]);
    await this.database.execute('DELETE FROM secret_values WHERE environment_id = $1', [id]);
    await this.database.execute(DELETE_EMPTY_SECRETS, [touched.map((secret) => secret.id)]);
    await this.database.execute(
      'UPDATE environments SET deleted_at = now(), updated_at = now() WHERE id = $1',
      [id],
    );
  }

  async usesOf(workspaceId: string, id: string): Promise<EnvironmentUses> {
    return (await this.database.one<EnvironmentUses>(USES, [workspaceId, id]))!;
  }
}

const RECORD = `
  id, name, approval_policy AS "approvalPolicy", agents_allowed AS "agentsAllowed", is_default AS "isDefault",
  created_by_user_id AS "createdByUserId", created_at AS "createdAt", updated_at AS "updatedAt"`;

const FIND = `SELECT ${RECORD} FROM environments WHERE workspace_id = $1 AND deleted_at IS NULL`;

/** Locked first, so that no value is added to a secret that is seen to have none. */
const LOCK_SECRETS = `
  SELECT id FROM secrets WHERE id IN (SELECT secret_id FROM secret_values WHERE environment_id = $1)
  ORDER BY id FOR UPDATE`;

const DELETE_EMPTY_SECRETS = `
  DELETE FROM secrets s
  WHERE s.id = ANY($1) AND NOT EXISTS (SELECT FROM secret_values v WHERE v.secret_id = s.id)`;

/** Open runs are found by their status, which has an index and is open exactly while their phase is. */
const USES = `
  SELECT
    (SELECT count(*) FROM secret_values WHERE environment_id = $2) AS "secretValues",
    (SELECT count(*) FROM schedules WHERE environment_id = $2) AS schedules,
    (SELECT count(*) FROM triggers WHERE environment_id = $2) AS triggers,
    (SELECT count(*) FROM webhook_endpoints WHERE environment_id = $2) AS endpoints,
    (SELECT count(*) FROM api_keys WHERE environment_id = $2 AND revoked_at IS NULL) AS "boundKeys",
    (SELECT count(*) FROM runs
     WHERE workspace_id = $1 AND status IN ('awaiting_approval', 'running') AND environment_id = $2) AS "openRuns"`;
