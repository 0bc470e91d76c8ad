import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';

import { columns, type RowOf } from '../core/database/columns.js';
import { Database } from '../core/database/database.js';
import { newestFirst } from '../core/database/keyset.js';
import { NOW } from '../core/database/moments.js';
import type { EnvironmentSettings } from './environment.changes.js';
import { Environment } from './environment.entity.js';
import type { EnvironmentUses } from './environment.uses.js';

const RECORD = columns(
  Environment,
  'e',
  'id',
  'name',
  'approvalPolicy',
  'agentsAllowed',
  'isDefault',
  'createdByUserId',
  'createdAt',
  'updatedAt',
);

export type EnvironmentRow = RowOf<typeof RECORD>;
export type NewEnvironment = Omit<Environment, 'createdAt' | 'updatedAt' | 'deletedAt'>;

@Injectable()
export class EnvironmentsRepository {
  constructor(
    @InjectRepository(Environment) private readonly environments: Repository<Environment>,
    private readonly database: Database,
  ) {}

  /** Changes of a workspace's environments take turns, so that there is always exactly one default. */
  async lockWorkspace(workspaceId: string): Promise<void> {
    await this.database.execute('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspaceId]);
  }

  /** null: the name is taken. */
  insert(environment: NewEnvironment): Promise<EnvironmentRow | null> {
    const { id, workspaceId, name, approvalPolicy, agentsAllowed, isDefault, createdByUserId } = environment;
    const parameters = [id, workspaceId, name, approvalPolicy, agentsAllowed, isDefault, createdByUserId];
    return this.database.one<EnvironmentRow>(INSERT, parameters);
  }

  /** Newest first; only one of them where `onlyId` is given. */
  list(
    workspaceId: string,
    onlyId: string | null,
    after: string | null,
    count: number,
  ): Promise<EnvironmentRow[]> {
    const query = this.environments.createQueryBuilder('environment');
    query.where({ workspaceId, deletedAt: IsNull(), ...(onlyId !== null && { id: onlyId }) });
    return newestFirst(query, after, count).getMany();
  }

  findById(workspaceId: string, id: string): Promise<EnvironmentRow | null> {
    return this.environments.findOneBy({ workspaceId, id, deletedAt: IsNull() });
  }

  findByName(workspaceId: string, name: string): Promise<EnvironmentRow | null> {
    return this.environments.findOneBy({ workspaceId, name, deletedAt: IsNull() });
  }

  /** Locked against being deleted until the transaction ends. False: it is not there. */
  async hold(workspaceId: string, id: string): Promise<boolean> {
    return (await this.database.execute(HOLD, [workspaceId, id])).count === 1;
  }

  /** Waits for those who hold it, and keeps others from holding it. */
  async lock(id: string): Promise<void> {
    await this.database.execute('SELECT FROM environments WHERE id = $1 FOR UPDATE', [id]);
  }

  async update(id: string, settings: EnvironmentSettings): Promise<EnvironmentRow> {
    const { name, approvalPolicy, agentsAllowed, isDefault } = settings;
    const row = await this.database.one<EnvironmentRow>(UPDATE, [
      id,
      name,
      approvalPolicy,
      agentsAllowed,
      isDefault,
    ]);
    return row!;
  }

  /** Leaves the workspace without a default until the same transaction makes another one. */
  takeDefault(workspaceId: string): Promise<EnvironmentRow | null> {
    return this.database.one<EnvironmentRow>(TAKE_DEFAULT, [workspaceId]);
  }

  async delete(id: string): Promise<void> {
    await this.environments.update({ id }, { deletedAt: NOW, updatedAt: NOW });
  }

  async usesOf(workspaceId: string, id: string): Promise<EnvironmentUses> {
    return (await this.database.one<EnvironmentUses>(USES, [workspaceId, id]))!;
  }
}

const INSERT = `
  INSERT INTO environments AS e
    (id, workspace_id, name, approval_policy, agents_allowed, is_default, created_by_user_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (workspace_id, name) WHERE deleted_at IS NULL DO NOTHING RETURNING ${RECORD}`;

const HOLD = `
  SELECT FROM environments WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL FOR KEY SHARE`;

const UPDATE = `
  UPDATE environments e
  SET name = $2, approval_policy = $3, agents_allowed = $4, is_default = $5, updated_at = now()
  WHERE e.id = $1 RETURNING ${RECORD}`;

const TAKE_DEFAULT = `
  UPDATE environments e SET is_default = false, updated_at = now()
  WHERE e.workspace_id = $1 AND e.is_default AND e.deleted_at IS NULL RETURNING ${RECORD}`;

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
