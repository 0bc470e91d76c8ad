import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository, SelectQueryBuilder } from 'typeorm';

import { Database, newestFirst, NOW } from '../core/database/index.js';
import { SavedView } from './saved-view.entity.js';

type NewView = Omit<SavedView, 'createdAt' | 'updatedAt'>;
/** Who sees it, of which list. */
type Beside = Pick<SavedView, 'workspaceId' | 'list' | 'userId'>;

@Injectable()
export class SavedViewsRepository {
  constructor(
    @InjectRepository(SavedView) private readonly views: Repository<SavedView>,
    private readonly database: Database,
  ) {}

  /** Newest first: somebody's own, and those for everyone. */
  list(workspaceId: string, userId: string, after: string | null, count: number): Promise<SavedView[]> {
    return newestFirst(this.seen(workspaceId, userId), after, count).getMany();
  }

  find(workspaceId: string, userId: string, id: string): Promise<SavedView | null> {
    return this.seen(workspaceId, userId).andWhere({ id }).getOne();
  }

  /** Whoever names one takes turns with others who do, until the transaction ends. */
  async takeTurn(workspaceId: string): Promise<void> {
    await this.database.lock(`saved views of ${workspaceId}`);
  }

  /** Those for the same, by name. */
  beside({ workspaceId, list, userId }: Beside): Promise<Pick<SavedView, 'id' | 'name'>[]> {
    return this.views
      .createQueryBuilder('v')
      .select(['v.id', 'v.name'])
      .where({ workspaceId, list })
      .andWhere('v.userId IS NOT DISTINCT FROM :userId', { userId })
      .getMany();
  }

  async insert(view: NewView): Promise<void> {
    await this.views.insert(view);
  }

  async update(id: string, change: Pick<SavedView, 'name' | 'search'>): Promise<void> {
    await this.views.update({ id }, { ...change, updatedAt: NOW });
  }

  async delete(id: string): Promise<void> {
    await this.views.delete({ id });
  }

  private seen(workspaceId: string, userId: string): SelectQueryBuilder<SavedView> {
    return this.views
      .createQueryBuilder('v')
      .where({ workspaceId })
      .andWhere('(v.userId IS NULL OR v.userId = :userId)', { userId });
  }
}
