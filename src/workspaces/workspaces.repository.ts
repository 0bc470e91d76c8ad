import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';

import { columns, type RowOf } from '../core/database/columns.js';
import { Database } from '../core/database/database.js';
import { insertIfAbsent } from '../core/database/insert-if-absent.js';
import { NOW } from '../core/database/moments.js';
import { Workspace } from './workspace.entity.js';

const NAME = columns(Workspace, 'w', 'name');

@Injectable()
export class WorkspacesRepository {
  constructor(
    @InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>,
    private readonly database: Database,
  ) {}

  /** False: the slug is taken. */
  insert(workspace: Pick<Workspace, 'id' | 'name' | 'slug'>): Promise<boolean> {
    return insertIfAbsent(this.workspaces, workspace);
  }

  async ownsAny(userId: string): Promise<boolean> {
    return (await this.database.one(FIND_OWNED, [userId])) !== null;
  }

  /** The present name, locked, so that of two renamings at once each knows which name it replaces. null: it is deleted. */
  async lockName(id: string): Promise<string | null> {
    const row = await this.database.one<RowOf<typeof NAME>>(LOCK_NAME, [id]);
    return row?.name ?? null;
  }

  async rename(id: string, name: string): Promise<void> {
    await this.workspaces.update({ id }, { name });
  }

  /** False: it is deleted already. */
  async delete(id: string): Promise<boolean> {
    return (await this.workspaces.update({ id, deletedAt: IsNull() }, { deletedAt: NOW })).affected === 1;
  }
}

const FIND_OWNED = `
  SELECT FROM memberships m JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
  WHERE m.user_id = $1 AND m.role = 'owner' LIMIT 1`;

const LOCK_NAME = `
  SELECT ${NAME} FROM workspaces w WHERE w.id = $1 AND w.deleted_at IS NULL FOR NO KEY UPDATE`;
