import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import type { AgentBudget } from '../usage/index.js';
import { Workspace } from './workspace.entity.js';

/** What each member's agents may use together, which each workspace sets for itself. */
@Injectable()
export class MemberBudgetRepository {
  constructor(@InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>) {}

  async read(workspaceId: string): Promise<AgentBudget | null> {
    return (await this.workspaces.findOneBy({ id: workspaceId }))?.memberBudget ?? null;
  }

  /** Changed by nobody else before the transaction ends. */
  async lock(id: string): Promise<AgentBudget | null> {
    const lock = { mode: 'for_no_key_update' } as const;
    return (await this.workspaces.findOne({ where: { id }, lock }))?.memberBudget ?? null;
  }

  async change(id: string, memberBudget: AgentBudget | null): Promise<void> {
    await this.workspaces.update({ id }, { memberBudget });
  }
}
