import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { SchedulesModule } from '../schedules.module.js';
import { ScheduleClaimsRepository } from './schedule-claims.repository.js';
import { ScheduleClock } from './schedule-clock.js';
import { ScheduleFiringService } from './schedule-firing.service.js';
import { WaitingSchedule } from './waiting-schedule.entity.js';

/** Fires schedules, only in processes that run scripts: what nobody could run is better told as missed. */
@Module({
  imports: [TypeOrmModule.forFeature([WaitingSchedule]), SchedulesModule],
  providers: [ScheduleClaimsRepository, ScheduleClock, ScheduleFiringService],
})
export class ScheduleFiringModule {}
