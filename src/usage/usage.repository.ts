import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Database } from '../core/database/index.js';
import type { CountedMeter, Meter } from './meters.js';
import { UsageCounter } from './usage-counter.entity.js';
import { ADMIT_USAGE, CONSUME_USAGE, COUNT_USAGE, countGiven, FIND_USAGE } from './usage-counts.sql.js';

export interface UsageRow {
  plan: string;
  createdAt: Date;
  periodStart: Date;
  members: number;
  used: Partial<Record<Meter, number>>;
}

interface Amount {
  workspaceId: string;
  meter: CountedMeter;
  amount: number;
}

/** What was counted for a workspace before it is compared with the limit. */
export interface Admission {
  workspaceId: string;
  wanted: number;
  /** null: there is none. */
  limit: number | null;
  /** With what was wanted. null: nothing was counted, since the run seconds are used up. */
  used: number | null;
}

/** How much of a meter there is now, and the plan that limits it. */
interface PlanUse {
  plan: string;
  used: number;
}

@Injectable()
export class UsageRepository {
  constructor(
    @InjectRepository(UsageCounter) private readonly counters: Repository<UsageCounter>,
    private readonly database: Database,
  ) {}

  find(workspaceId: string): Promise<UsageRow | null> {
    return this.database.one<UsageRow>(FIND_USAGE, [workspaceId]);
  }

  /** False: it would go beyond the limit, and nothing was counted. */
  async consume({ workspaceId, meter, amount }: Amount, limits: string): Promise<boolean> {
    const { count } = await this.database.execute(CONSUME_USAGE, [workspaceId, meter, amount, limits]);
    return count === 1;
  }

  /** Counts one of a meter for each mention of a workspace, and locks the counter until the transaction ends. */
  admit(
    meter: CountedMeter,
    workspaceIds: readonly string[],
    limits: string,
    secondLimits: string,
  ): Promise<Admission[]> {
    return this.database.query<Admission>(ADMIT_USAGE, [meter, workspaceIds, limits, secondLimits]);
  }

  /** Counts one for each mention of a workspace, whatever the limits, at the end of the surrounding transaction. */
  async countLast(meter: CountedMeter, workspaceIds: readonly string[]): Promise<void> {
    const amounts = new Map<string, number>();
    for (const id of workspaceIds) amounts.set(id, (amounts.get(id) ?? 0) + 1);
    const rows = [...amounts].map(
      ([workspaceId, amount]) => ({ workspaceId, meter, amount }) satisfies Amount,
    );
    await this.database.insertLast(countGiven, rows);
  }

  async giveBack({ workspaceId, meter, amount }: Amount): Promise<void> {
    await this.database.execute(COUNT_USAGE, [workspaceId, meter, -amount]);
  }

  async planOf(workspaceId: string): Promise<string> {
    const row = await this.workspaces('w')
      .select('w.plan', 'plan')
      .where('w.id = :workspaceId', { workspaceId })
      .getRawOne<Pick<PlanUse, 'plan'>>();
    return row!.plan;
  }

  async storedBytes(workspaceId: string): Promise<PlanUse> {
    const row = await this.workspaces('w')
      .select('w.plan', 'plan')
      .addSelect('COALESCE(c.used, 0)', 'used')
      .leftJoin(
        UsageCounter,
        'c',
        `c.workspaceId = w.id AND c.meter = 'storage_bytes' AND c.periodStart = 'epoch'`,
      )
      .where('w.id = :workspaceId', { workspaceId })
      .getRawOne<PlanUse>();
    return row!;
  }

  /** How many members there are. Nobody else joins until the transaction ends. */
  async lockMembers(workspaceId: string): Promise<PlanUse> {
    const { manager } = this.counters;
    const account = await this.workspaces('w')
      .select('w.plan', 'plan')
      .where('w.id = :workspaceId', { workspaceId })
      .setLock('for_no_key_update')
      .getRawOne<Pick<PlanUse, 'plan'>>();
    // A statement of its own, so that it sees who joined while the lock was waited for.
    return { plan: account!.plan, used: await manager.countBy('Membership', { workspaceId }) };
  }

  /** Workspaces lie above this domain, so their entity is called by its name. */
  private workspaces(alias: string) {
    return this.counters.manager.createQueryBuilder('Workspace', alias);
  }
}
