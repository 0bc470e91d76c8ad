import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type Repository } from 'typeorm';

import { scriptVisibleTo } from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import type { FoundRunnable, RunnableQuery } from './runnable-script.js';
import { FIND_RUNNABLE, FIND_RUNNABLE_TRIAL, type FoundOffer, LIST_OFFERS } from './script-catalog.sql.js';
import { Script } from './script.entity.js';
import { containing } from './scripts.sql.js';
import type { ScriptViewer } from './script-viewer.js';

interface OffersQuery {
  /** The slugs of those that are wanted, which all come; null: all. */
  only: readonly string[] | null;
  /** The slug after which to go on. */
  after: string | null;
  count: number;
  /** What is in slug, name, description or a tag of each; null: all. */
  words: string | null;
}

export interface SlugBeginning {
  start: string;
  digest: string;
}

@Injectable()
export class ScriptCatalogRepository {
  constructor(
    @InjectRepository(Script) private readonly scripts: Repository<Script>,
    private readonly database: Database,
  ) {}

  findRunnable(query: RunnableQuery): Promise<FoundRunnable | null> {
    const { workspaceId, slug, version, role, userId, scriptChoice } = query;
    const statement = typeof version === 'string' ? FIND_RUNNABLE_TRIAL : FIND_RUNNABLE;
    const parameters = [workspaceId, slug, version, role, userId, scriptChoice];
    return this.database.one<FoundRunnable>(statement, parameters);
  }

  listVisible(viewer: ScriptViewer, slugs: readonly string[]): Promise<Pick<Script, 'id' | 'slug'>[]> {
    return this.scripts
      .createQueryBuilder('s')
      .select(['s.id', 's.slug'])
      .where({ workspaceId: viewer.workspaceId, slug: Any([...slugs]) })
      .andWhere(...scriptVisibleTo('s', viewer))
      .getMany();
  }

  async findSlug(viewer: ScriptViewer, { start, digest }: SlugBeginning): Promise<string | null> {
    const script = await this.scripts
      .createQueryBuilder('s')
      .select(['s.id', 's.slug'])
      .where({ workspaceId: viewer.workspaceId })
      .andWhere("starts_with(s.slug, :start) AND encode(sha256(s.slug::bytea), 'hex') LIKE :digest || '%'")
      .andWhere(...scriptVisibleTo('s', viewer))
      .setParameters({ start, digest })
      .getOne();
    return script?.slug ?? null;
  }

  /** By slug. */
  listOffers(
    { workspaceId, role, userId, scriptChoice }: ScriptViewer,
    { only, after, count, words }: OffersQuery,
  ): Promise<FoundOffer[]> {
    const pattern = words === null ? null : containing(words);
    const parameters = [workspaceId, role, userId, only, after, count, scriptChoice, pattern];
    return this.database.query<FoundOffer>(LIST_OFFERS, parameters);
  }
}
