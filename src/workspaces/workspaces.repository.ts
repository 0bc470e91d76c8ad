import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';

import { Database, insertIfAbsent, NOW } from '../core/database/index.js';
import { Workspace } from './workspace.entity.js';

@Injectable()
export class WorkspacesRepository {
  constructor(
    @InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>,
    private readonly database: Database,
  ) {}

  /** False: the slug is taken. */
  insert(workspace: Pick<Workspace, 'id' | 'name' | 'slug' | 'ownerUserId'>): Promise<boolean> {
    return insertIfAbsent(this.workspaces, workspace);
  }

  async ownsAny(userId: string): Promise<boolean> {
    return (await this.database.one(FIND_OWNED, [userId])) !== null;
  }

  /** Returns the name that was replaced, also of two renamings at once. null: it is deleted. */
  async rename(id: string, name: string): Promise<string | null> {
    const row = await this.database.one<{ previousName: string }>(RENAME, [id, name]);
    return row?.previousName ?? null;
  }

  /** False: it is deleted already. */
  async delete(id: string): Promise<boolean> {
    return (await this.workspaces.update({ id, deletedAt: IsNull() }, { deletedAt: NOW })).affected === 1;
  }
}

const FIND_OWNED = `
  SELECT FROM memberships m JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
  WHERE m.user_id = $1 AND m.role = 'owner' LIMIT 1`;

const RENAME = `
  WITH before AS MATERIALIZED (
    SELECT w.id, w.name FROM workspaces w WHERE w.id = $1 AND w.deleted_at IS NULL FOR NO KEY UPDATE
  )
  UPDATE workspaces SET name = $2 FROM before WHERE workspaces.id = before.id
  RETURNING before.name AS "previousName"`;
