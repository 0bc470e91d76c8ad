import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { FiringQueueRepository } from '../../automations/index.js';
import { arraysOf, Database } from '../../core/database/index.js';
import { type Claim, type Claimed, claimedOf, type Places } from '../../core/work/index.js';
import { Schedule } from '../schedule.entity.js';
import {
  ADVANCE,
  CLAIM_SCHEDULES,
  type ClaimedSchedule,
  type DueSchedule,
  FINISH_SCHEDULES,
  HOLD_SCHEDULES,
  QUEUE_DUE,
} from './schedule-claims.sql.js';
import { WaitingSchedule } from './waiting-schedule.entity.js';

interface FiredSchedule {
  id: string;
  next: Date;
  runId: string;
}

/** The queue of the schedules that are due. */
@Injectable()
export class ScheduleClaimsRepository extends FiringQueueRepository<ClaimedSchedule> {
  constructor(
    @InjectRepository(WaitingSchedule) private readonly waiting: Repository<WaitingSchedule>,
    @InjectRepository(Schedule) private readonly schedules: Repository<Schedule>,
    private readonly database: Database,
  ) {
    super(waiting);
  }

  /** Queues those that are due. Returns the milliseconds until the next one is, or null where none is enabled. */
  async queueDue(): Promise<number | null> {
    const looked = await this.database.one<{ lookedAt: string }>(QUEUE_DUE);
    const next = await this.schedules
      .createQueryBuilder('s')
      .select('extract(epoch FROM s.nextRunAt - clock_timestamp())::float8 * 1000', 'ms')
      .where('s.nextRunAt > :lookedAt', looked!)
      .orderBy('s.nextRunAt')
      .limit(1)
      .getRawOne<{ ms: number }>();
    return next?.ms ?? null;
  }

  async claim(workerId: string, { room, share }: Places): Promise<Claimed<ClaimedSchedule>> {
    return claimedOf(await this.database.query(CLAIM_SCHEDULES, [workerId, room, share]));
  }

  /** Counts a later attempt, before it is made. Returns how many these are, or null where it is not ours any more. */
  async countAttempt({ id, claim }: Claim): Promise<number | null> {
    const { raw } = await this.waiting
      .createQueryBuilder()
      .update()
      .set({ attempts: () => 'attempts + 1' })
      .where({ id, claim })
      .returning('attempts')
      .execute();
    return (raw as { attempts: number }[])[0]?.attempts ?? null;
  }

  /** Locked until the transaction ends: those that are still ours, and due. */
  hold(claims: readonly Claim[]): Promise<DueSchedule[]> {
    return this.database.query<DueSchedule>(HOLD_SCHEDULES, arraysOf(claims, 'id', 'claim'));
  }

  async advance(fired: readonly FiredSchedule[]): Promise<void> {
    await this.database.execute(ADVANCE, arraysOf(fired, 'id', 'next', 'runId'));
  }

  async finish(claims: readonly Claim[]): Promise<void> {
    await this.database.execute(FINISH_SCHEDULES, arraysOf(claims, 'id', 'claim'));
  }
}
