import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, Not, type Repository } from 'typeorm';

import { arraysOf, Database, isPast } from '../../core/database/index.js';
import { Schedule } from '../schedule.entity.js';
import { ADVANCE, CLAIM_DUE, type DueSchedule } from './schedule-firing.sql.js';

export interface Claim {
  /** How many at most. */
  count: number;
  except?: readonly string[];
  only?: string;
}

export interface FiredSchedule {
  id: string;
  next: Date;
  runId: string;
}

@Injectable()
export class ScheduleFiringRepository {
  constructor(
    @InjectRepository(Schedule) private readonly schedules: Repository<Schedule>,
    private readonly database: Database,
  ) {}

  /**
   * Those that have been due longest and that no other process has claimed, as far as their inputs are not too much at
   * once.
   */
  claim({ count, except = [], only }: Claim): Promise<DueSchedule[]> {
    return this.database.query<DueSchedule>(CLAIM_DUE, [count, except, only ?? null]);
  }

  /** The ids of those that have been due longest, claimed or not. */
  async due(count: number, except: readonly string[]): Promise<string[]> {
    const due = await this.schedules.find({
      select: { id: true },
      where: { nextRunAt: isPast(), id: Not(Any([...except])) },
      order: { nextRunAt: 'ASC' },
      take: count,
    });
    return due.map(({ id }) => id);
  }

  async advance(fired: readonly FiredSchedule[]): Promise<void> {
    await this.database.execute(ADVANCE, arraysOf(fired, 'id', 'next', 'runId'));
  }

  /** Milliseconds until the next one is due, by the database's clock; null where none is enabled. */
  async nextIn(except: readonly string[]): Promise<number | null> {
    const next = await this.schedules
      .createQueryBuilder('s')
      .select('extract(epoch FROM s.nextRunAt - clock_timestamp())::float8 * 1000', 'ms')
      .where({ nextRunAt: Not(IsNull()), id: Not(Any([...except])) })
      .orderBy('s.nextRunAt')
      .limit(1)
      .getRawOne<{ ms: number }>();
    return next?.ms ?? null;
  }
}
