import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Database } from '../core/database/index.js';
import { UsageCounter } from './usage-counter.entity.js';
import { CLAIM_NEAR, IS_BELOW, type UsageWarning } from './usage-warnings.sql.js';

export interface WorkspaceOwner {
  workspaceId: string;
  name: string;
  email: string;
}

@Injectable()
export class UsageWarningsRepository {
  constructor(
    @InjectRepository(UsageCounter) private readonly counters: Repository<UsageCounter>,
    private readonly database: Database,
  ) {}

  /** Takes counters that have come near their limits, and marks that their owners are told. Locked ones are left for later. */
  claim(limits: string, near: number, count: number): Promise<UsageWarning[]> {
    return this.database.query<UsageWarning>(CLAIM_NEAR, [limits, near, count]);
  }

  /** Has owners told again of what no period resets, once it has been well below its limit. */
  async forget(limits: string, below: number): Promise<void> {
    await this.counters
      .createQueryBuilder()
      .update()
      .set({ warnedAt: null })
      .where(`period_start = 'epoch' AND warned_at IS NOT NULL`)
      .andWhere(IS_BELOW, { limits, below })
      .execute();
  }

  owners(workspaceIds: readonly string[]): Promise<WorkspaceOwner[]> {
    return this.counters.manager
      .createQueryBuilder('Membership', 'm')
      .innerJoin('User', 'u', 'u.id = m.userId')
      .select('m.workspaceId', 'workspaceId')
      .addSelect('u.name', 'name')
      .addSelect('u.email', 'email')
      .where(`m.workspaceId = ANY(:workspaceIds) AND m.role = 'owner'`, { workspaceIds })
      .orderBy('m.id')
      .getRawMany<WorkspaceOwner>();
  }
}
