import { Module } from '@nestjs/common';

import { EnvironmentEventTypes } from './environment.event-types.js';
import { EnvironmentsController } from './environments.controller.js';
import { EnvironmentsRepository } from './environments.repository.js';
import { Environments } from './environments.service.js';

/** The places in which scripts run, each with its own secrets and rules. */
@Module({
  controllers: [EnvironmentsController],
  providers: [EnvironmentEventTypes, Environments, EnvironmentsRepository],
  exports: [Environments],
})
export class EnvironmentsModule {}
