import { type DynamicModule, Module } from '@nestjs/common';

import type { Settings } from '../core/config/settings.js';
import { ScriptsModule } from '../scripts/scripts.module.js';
import { ScheduleClock } from './firing/schedule-clock.js';
import { ScheduleFiring } from './firing/schedule-firing.js';
import { ScheduleFiringRepository } from './firing/schedule-firing.repository.js';
import { ScheduleEventTypes } from './schedule.event-types.js';
import { ScheduleEvents } from './schedule.events.js';
import { SchedulesController } from './schedules.controller.js';
import { SchedulesRepository } from './schedules.repository.js';
import { SchedulesService } from './schedules.service.js';
import { ScriptSchedules } from './script-schedules.js';

const WORKER = [ScheduleClock, ScheduleFiring, ScheduleFiringRepository];

/** Runs by the clock. Processes that run scripts fire schedules as well: what nobody could run is better missed. */
@Module({})
export class SchedulesModule {
  static for(settings: Settings, automations: DynamicModule): DynamicModule {
    return {
      module: SchedulesModule,
      imports: [ScriptsModule, automations],
      controllers: [SchedulesController],
      providers: [
        ScheduleEventTypes,
        ScheduleEvents,
        SchedulesRepository,
        SchedulesService,
        ScriptSchedules,
        ...(settings.runsScripts ? WORKER : []),
      ],
    };
  }
}
