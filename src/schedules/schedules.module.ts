import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import type { Settings } from '../core/config/settings.js';
import { ScriptsModule } from '../scripts/scripts.module.js';
import { ScheduleClock } from './firing/schedule-clock.js';
import { ScheduleFiringRepository } from './firing/schedule-firing.repository.js';
import { ScheduleFiringService } from './firing/schedule-firing.service.js';
import { Schedule } from './schedule.entity.js';
import { ScheduleEventTypes } from './schedule.event-types.js';
import { ScheduleEvents } from './schedule.events.js';
import { SchedulesController } from './schedules.controller.js';
import { SchedulesRepository } from './schedules.repository.js';
import { SchedulesService } from './schedules.service.js';
import { ScriptSchedules } from './script-schedules.js';

const WORKER = [ScheduleClock, ScheduleFiringRepository, ScheduleFiringService];

/** Runs at times. Only processes that run scripts fire schedules: what nobody could run is better told as missed. */
@Module({})
export class SchedulesModule {
  static for(settings: Settings, automations: DynamicModule): DynamicModule {
    return {
      module: SchedulesModule,
      imports: [TypeOrmModule.forFeature([Schedule]), ScriptsModule, automations],
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
