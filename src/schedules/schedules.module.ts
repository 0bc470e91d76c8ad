import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AutomationsModule } from '../automations/index.js';
import { ScriptsModule } from '../scripts/index.js';
import { Schedule } from './schedule.entity.js';
import { ScheduleEventTypes } from './schedule.event-types.js';
import { SchedulesController } from './schedules.controller.js';
import { SchedulesRepository } from './schedules.repository.js';
import { SchedulesService } from './schedules.service.js';
import { ScriptSchedules } from './script-schedules.js';

/** Runs at set times: how they are made and changed. `ScheduleFiringModule` starts them. */
@Module({
  imports: [TypeOrmModule.forFeature([Schedule]), AutomationsModule, ScriptsModule],
  controllers: [SchedulesController],
  providers: [ScheduleEventTypes, SchedulesRepository, SchedulesService, ScriptSchedules],
  exports: [AutomationsModule, TypeOrmModule],
})
export class SchedulesModule {}
