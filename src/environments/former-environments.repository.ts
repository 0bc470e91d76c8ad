import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import type { EnvironmentRule } from '../core/access/index.js';
import { FormerEnvironment } from './former-environment.entity.js';

/** Remembers rules of names, so that nobody gets around one by giving its name to a new environment. */
@Injectable()
export class FormerEnvironmentsRepository {
  constructor(@InjectRepository(FormerEnvironment) private readonly former: Repository<FormerEnvironment>) {}

  /** In place of what was remembered of the name before. */
  async remember(
    workspaceId: string,
    name: string,
    { approvalPolicy, agentsAllowed }: EnvironmentRule,
  ): Promise<void> {
    await this.former.upsert({ workspaceId, name, approvalPolicy, agentsAllowed }, ['workspaceId', 'name']);
  }

  /** null: no environment has lost the name yet. */
  ruleOf(workspaceId: string, name: string): Promise<EnvironmentRule | null> {
    return this.former.findOneBy({ workspaceId, name });
  }
}
