import { Module } from '@nestjs/common';

import { CreateEnvironmentAction } from './actions/create-environment.action.js';
import { DeleteEnvironmentAction } from './actions/delete-environment.action.js';
import { UpdateEnvironmentAction } from './actions/update-environment.action.js';
import { EnvironmentEventTypes } from './environment.event-types.js';
import { EnvironmentsController } from './environments.controller.js';
import { EnvironmentsRepository } from './environments.repository.js';
import { Environments } from './environments.service.js';

/** The places in which scripts run, each with its own secrets and rules. */
@Module({
  controllers: [EnvironmentsController],
  providers: [
    CreateEnvironmentAction,
    DeleteEnvironmentAction,
    EnvironmentEventTypes,
    Environments,
    EnvironmentsRepository,
    UpdateEnvironmentAction,
  ],
  exports: [Environments],
})
export class EnvironmentsModule {}
