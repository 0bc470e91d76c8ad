import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { RunsModule } from '../runs/index.js';
import { ErrorEventTypes } from './error.event-types.js';
import { ErrorGroup } from './error-group.entity.js';
import { ErrorRun } from './error-run.entity.js';
import { ErrorsController } from './errors.controller.js';
import { ErrorsRepository } from './errors.repository.js';
import { ErrorsService } from './errors.service.js';
import { ErrorGroupingService } from './grouping/error-grouping.service.js';
import { ErrorGroupsRepository } from './grouping/error-groups.repository.js';
import { ErrorSighting } from './grouping/error-sighting.entity.js';
import { ErrorSightingsRepository } from './grouping/error-sightings.repository.js';
import { ErrorSightingsService } from './grouping/error-sightings.service.js';

/** What scripts fail of: runs that failed in the same way are one error. */
@Module({
  imports: [RunsModule, TypeOrmModule.forFeature([ErrorGroup, ErrorRun, ErrorSighting])],
  controllers: [ErrorsController],
  providers: [
    ErrorEventTypes,
    ErrorGroupingService,
    ErrorGroupsRepository,
    ErrorSightingsRepository,
    ErrorSightingsService,
    ErrorsRepository,
    ErrorsService,
  ],
  exports: [ErrorsService],
})
export class FailuresModule {}
