import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import {
  type AutomationRelations,
  AutomationsRepository,
  type ListedAutomation,
} from '../automations/index.js';
import { Database } from '../core/database/index.js';
import { Schedule } from './schedule.entity.js';

/** Without what it is joined with. */
export type ScheduleRow = Omit<Schedule, keyof AutomationRelations>;
export type ListedSchedule = ListedAutomation<ScheduleRow>;

@Injectable()
export class SchedulesRepository extends AutomationsRepository<ScheduleRow> {
  constructor(database: Database, @InjectRepository(Schedule) schedules: Repository<Schedule>) {
    super(database, schedules, { enabled: false, nextRunAt: null });
  }
}
