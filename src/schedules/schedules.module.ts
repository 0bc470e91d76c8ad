import { Module } from '@nestjs/common';

import { AutomationsModule } from '../automations/automations.module.js';
import { ScriptsModule } from '../scripts/scripts.module.js';
import { ScheduleEventTypes } from './schedule.event-types.js';
import { ScheduleEvents } from './schedule.events.js';
import { SchedulesController } from './schedules.controller.js';
import { SchedulesRepository } from './schedules.repository.js';
import { SchedulesService } from './schedules.service.js';
import { ScriptSchedules } from './script-schedules.js';

/** Runs by the clock, as they are made and changed. `ScheduleFiringModule` starts them. */
@Module({
  imports: [AutomationsModule, ScriptsModule],
  controllers: [SchedulesController],
  providers: [ScheduleEventTypes, ScheduleEvents, SchedulesRepository, SchedulesService, ScriptSchedules],
  exports: [AutomationsModule, ScheduleEvents],
})
export class SchedulesModule {}
