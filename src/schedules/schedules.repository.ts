import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { QueryDeepPartialEntity, Repository } from 'typeorm';

import { AutomationsRepository, type FoundAutomation, type ListedAutomation } from '../automations/index.js';
import { type Columns, columns, type RowOf } from '../core/database/columns.js';
import { Database } from '../core/database/database.js';
import { Schedule } from './schedule.entity.js';

const LISTED = columns(
  Schedule,
  'a',
  'id',
  'name',
  'cron',
  'timezone',
  'inputs',
  'enabled',
  'disabledReason',
  'createdByUserId',
  'nextRunAt',
  'lastRunAt',
  'lastRunId',
);
const DECISIVE = columns(Schedule, 'a', 'byAgent', 'scriptId', 'environmentId');
const DETAILS = `${DECISIVE}, clock_timestamp() AS now` as Columns<
  RowOf<typeof DECISIVE> & {
    /** By the database's clock. */
    now: Date;
  }
>;

export type ScheduleRow = ListedAutomation<RowOf<typeof LISTED>>;
export type FoundSchedule = FoundAutomation<RowOf<typeof LISTED>, RowOf<typeof DETAILS>>;

export type ScheduleChange = Pick<
  Schedule,
  | 'name'
  | 'environmentId'
  | 'cron'
  | 'timezone'
  | 'inputs'
  | 'enabled'
  | 'byAgent'
  | 'disabledReason'
  | 'nextRunAt'
>;

export type NewSchedule = Omit<ScheduleChange, 'enabled' | 'disabledReason'> &
  Pick<Schedule, 'id' | 'workspaceId' | 'scriptId' | 'createdByUserId'>;

export type ScheduleUse = Pick<Schedule, 'id' | 'name' | 'cron' | 'enabled'>;

const MOST_USES = 100;

@Injectable()
export class SchedulesRepository extends AutomationsRepository<RowOf<typeof LISTED>, RowOf<typeof DETAILS>> {
  constructor(
    database: Database,
    @InjectRepository(Schedule) private readonly schedules: Repository<Schedule>,
  ) {
    super(database, { table: 'schedules', listed: LISTED, details: DETAILS });
  }

  /** The newest that run a script, of one environment or of all. */
  usesOf(scriptId: string, environmentId: string | null): Promise<ScheduleUse[]> {
    return this.schedules.find({
      select: { id: true, name: true, cron: true, enabled: true },
      where: environmentId === null ? { scriptId } : { scriptId, environmentId },
      order: { id: 'DESC' },
      take: MOST_USES,
    });
  }

  async insert(schedule: NewSchedule): Promise<void> {
    await this.schedules.insert(schedule as QueryDeepPartialEntity<Schedule>);
  }

  async change(id: string, change: ScheduleChange): Promise<void> {
    await this.schedules.update({ id }, change as QueryDeepPartialEntity<Schedule>);
  }

  async delete(id: string): Promise<void> {
    await this.schedules.delete({ id });
  }
}
