import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { EnvironmentDeletionHooks } from './environment-deletion-hooks.js';
import { Environment } from './environment.entity.js';
import { EnvironmentEventTypes } from './environment.event-types.js';
import { EnvironmentsController } from './environments.controller.js';
import { EnvironmentsRepository } from './environments.repository.js';
import { EnvironmentsService } from './environments.service.js';
import { FormerEnvironment } from './former-environment.entity.js';
import {
  CreateEnvironmentAction,
  DeleteEnvironmentAction,
  UpdateEnvironmentAction,
} from './environment.actions.js';

/** The places in which scripts run, each with its own secrets and rules. */
@Module({
  imports: [TypeOrmModule.forFeature([Environment, FormerEnvironment])],
  controllers: [EnvironmentsController],
  providers: [
    CreateEnvironmentAction,
    DeleteEnvironmentAction,
    EnvironmentDeletionHooks,
    EnvironmentEventTypes,
    EnvironmentsRepository,
    EnvironmentsService,
    UpdateEnvironmentAction,
  ],
  exports: [EnvironmentDeletionHooks, EnvironmentsService],
})
export class EnvironmentsModule {}
