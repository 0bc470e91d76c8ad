import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Database } from '../../core/database/index.js';
import { deleteOldest, type Expired, Expires } from '../../core/work/index.js';
import { AgentCounter } from './agent-counter.entity.js';
import {
  type AgentUseRow,
  CLAIM_NEAR_BUDGETS,
  COUNT_AGENT_USE,
  FIND_AGENT_USE,
  type NearBudgetRow,
} from './agent-counters.sql.js';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 100;

export interface AgentUse {
  runs?: number;
  messages?: number;
  tokens?: number;
  /** In millionths. */
  cost?: number;
  reads?: number;
}

export interface WorkspaceMember {
  workspaceId: string;
  role: string;
  userId: string;
  name: string;
  email: string;
}

type FoundUse = Omit<AgentUseRow, 'currency'>;

@Injectable()
export class AgentCountersRepository {
  constructor(
    @InjectRepository(AgentCounter) private readonly counters: Repository<AgentCounter>,
    private readonly database: Database,
  ) {}

  /** Counts, whatever the limits, and locks the counters until the transaction ends. */
  count(workspaceId: string, subjects: readonly string[], use: AgentUse): Promise<FoundUse[]> {
    const { runs = 0, messages = 0, tokens = 0, cost = 0, reads = 0 } = use;
    const parameters = [workspaceId, subjects.toSorted(), runs, messages, tokens, cost, reads];
    return this.database.query<FoundUse>(COUNT_AGENT_USE, parameters);
  }

  find(workspaceId: string, subjects: readonly string[]): Promise<FoundUse[]> {
    return this.database.query<FoundUse>(FIND_AGENT_USE, [workspaceId, subjects]);
  }

  /** Takes counters that have come near a limit, and marks that somebody is told. */
  claimNear(share: number, most: number): Promise<NearBudgetRow[]> {
    return this.database.query<NearBudgetRow>(CLAIM_NEAR_BUDGETS, [share, most]);
  }

  /** Members of these workspaces, with their roles. */
  members(workspaceIds: readonly string[]): Promise<WorkspaceMember[]> {
    return this.counters.manager
      .createQueryBuilder('Membership', 'm')
      .innerJoin('User', 'u', 'u.id = m.userId')
      .select('m.workspaceId', 'workspaceId')
      .addSelect('m.role', 'role')
      .addSelect('u.id', 'userId')
      .addSelect('u.name', 'name')
      .addSelect('u.email', 'email')
      .where('m.workspaceId = ANY(:workspaceIds)', { workspaceIds })
      .orderBy('m.id')
      .getRawMany<WorkspaceMember>();
  }

  @Expires({ after: KEPT_DAYS * DAY_MS })
  deleteOld(expired: Expired): Promise<number> {
    return deleteOldest(this.counters, 'periodStart', expired);
  }
}
