import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, type Repository } from 'typeorm';

import { insertIfAbsent, NOW } from '../core/database/index.js';
import { Workspace } from './workspace.entity.js';

type Named = Pick<Workspace, 'id' | 'name' | 'slug'>;

const NAMED = { id: true, name: true, slug: true } as const;

@Injectable()
export class WorkspacesRepository {
  constructor(@InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>) {}

  /** False: the slug is taken. */
  insert(workspace: Pick<Workspace, 'id' | 'name' | 'slug' | 'ownerUserId'>): Promise<boolean> {
    return insertIfAbsent(this.workspaces, workspace);
  }

  /** Part of a transaction. Returns the name that was replaced, also of two renamings at once. null: it is deleted. */
  async rename(id: string, name: string): Promise<string | null> {
    const where = { id, deletedAt: IsNull() };
    const before = await this.workspaces.findOne({ where, lock: { mode: 'for_no_key_update' } });
    if (before) await this.workspaces.update({ id }, { name });
    return before?.name ?? null;
  }

  /** False: it is deleted already. */
  async delete(id: string): Promise<boolean> {
    return (await this.workspaces.update({ id, deletedAt: IsNull() }, { deletedAt: NOW })).affected === 1;
  }

  findBySlug(slug: string): Promise<Named | null> {
    return this.workspaces.findOne({ select: NAMED, where: { slug, deletedAt: IsNull() } });
  }

  /** Part of a transaction. The one of that slug that was deleted last; null: there is none. */
  async restore(slug: string): Promise<Named | null> {
    const deleted = await this.workspaces.findOne({
      select: NAMED,
      where: { slug, deletedAt: Not(IsNull()) },
      order: { deletedAt: 'DESC' },
      lock: { mode: 'for_no_key_update' },
    });
    if (deleted) await this.workspaces.update({ id: deleted.id }, { deletedAt: null });
    return deleted;
  }
}
