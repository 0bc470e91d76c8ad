import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type Repository } from 'typeorm';

import { scriptVisibleTo } from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import type { FoundRunnable, RunnableQuery } from './runnable-script.js';
import { FIND_RUNNABLE, type FoundOffer, LIST_OFFERS } from './script-catalog.sql.js';
import { Script } from './script.entity.js';
import type { ScriptViewer } from './script-viewer.js';

export interface OffersQuery {
  /** The slugs of those that are wanted, which all come; null: all. */
  only: readonly string[] | null;
  /** The slug after which to go on. */
  after: string | null;
  count: number;
}

@Injectable()
export class ScriptCatalogRepository {
  constructor(
    @InjectRepository(Script) private readonly scripts: Repository<Script>,
    private readonly database: Database,
  ) {}

  findRunnable({ workspaceId, slug, version, role, userId }: RunnableQuery): Promise<FoundRunnable | null> {
    return this.database.one<FoundRunnable>(FIND_RUNNABLE, [workspaceId, slug, version, role, userId]);
  }

  async visibleSlugs(viewer: ScriptViewer, slugs: readonly string[]): Promise<string[]> {
    const visible = await this.scripts
      .createQueryBuilder('s')
      .select(['s.id', 's.slug'])
      .where({ workspaceId: viewer.workspaceId, slug: Any([...slugs]) })
      .andWhere(...scriptVisibleTo('s', viewer))
      .getMany();
    return visible.map(({ slug }) => slug);
  }

  /** By slug. */
  listOffers(
    { workspaceId, role, userId }: ScriptViewer,
    { only, after, count }: OffersQuery,
  ): Promise<FoundOffer[]> {
    return this.database.query<FoundOffer>(LIST_OFFERS, [workspaceId, role, userId, only, after, count]);
  }
}
