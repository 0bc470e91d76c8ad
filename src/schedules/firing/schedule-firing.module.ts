import { Module } from '@nestjs/common';

import { SchedulesModule } from '../schedules.module.js';
import { ScheduleClock } from './schedule-clock.js';
import { ScheduleFiringRepository } from './schedule-firing.repository.js';
import { ScheduleFiringService } from './schedule-firing.service.js';

/** Fires schedules, only in processes that run scripts: what nobody could run is better told as missed. */
@Module({
  imports: [SchedulesModule],
  providers: [ScheduleClock, ScheduleFiringRepository, ScheduleFiringService],
})
export class ScheduleFiringModule {}
