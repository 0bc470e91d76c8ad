import { Module } from '@nestjs/common';

import { SchedulesModule } from '../schedules.module.js';
import { ScheduleClock } from './schedule-clock.js';
import { ScheduleFiring } from './schedule-firing.js';
import { ScheduleFiringRepository } from './schedule-firing.repository.js';

/** Fires schedules, where scripts are run as well: what nobody could run is better missed. */
@Module({
  imports: [SchedulesModule],
  providers: [ScheduleClock, ScheduleFiring, ScheduleFiringRepository],
})
export class ScheduleFiringModule {}
