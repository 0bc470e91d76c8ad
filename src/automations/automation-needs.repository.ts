import { Injectable } from '@nestjs/common';
import { InjectEntityManager } from '@nestjs/typeorm';
import { type EntityManager, Not } from 'typeorm';

import { scriptVisibleTo } from '../core/access/index.js';
import { Script, type ScriptViewer } from '../scripts/index.js';

/** Reads and holds what belongs to other domains. */
@Injectable()
export class AutomationNeedsRepository {
  constructor(@InjectEntityManager() private readonly manager: EntityManager) {}

  /** The script, if that viewer may see it. */
  findScript(viewer: ScriptViewer, slug: string): Promise<Script | null> {
    return this.manager
      .createQueryBuilder(Script, 'c')
      .where({ workspaceId: viewer.workspaceId, slug })
      .andWhere(...scriptVisibleTo('c', viewer))
      .getOne();
  }

  /** Whoever else locks it waits until this transaction ends. */
  async lockWorkspace(id: string): Promise<void> {
    const lock = { mode: 'for_no_key_update' } as const;
    await this.manager.findOne('Workspace', { select: { id: true }, where: { id }, lock });
  }

  /** Keeps a script from being archived until the transaction ends. False: it is already. */
  async holdScript(id: string): Promise<boolean> {
    const lock = { mode: 'pessimistic_read' } as const;
    return (await this.manager.findOne(Script, { where: { id, status: Not('archived') }, lock })) !== null;
  }
}
