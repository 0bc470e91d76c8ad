import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AutomationsModule } from '../automations/index.js';
import { ScriptsModule } from '../scripts/index.js';
import { FiringClaimsRepository } from './firing/firing-claims.repository.js';
import { FiringDispatcher } from './firing/firing-dispatcher.js';
import { TriggerFiring } from './firing/trigger-firing.entity.js';
import { TriggerFiringRepository } from './firing/trigger-firing.repository.js';
import { TriggerAuthorsService } from './firing/trigger-authors.service.js';
import { TriggerFiringService } from './firing/trigger-firing.service.js';
import { TriggerRunsService } from './firing/trigger-runs.service.js';
import { WaitingFiring } from './firing/waiting-firing.entity.js';
import { ScriptTriggers } from './script-triggers.js';
import { Trigger } from './trigger.entity.js';
import { TriggerAudienceService } from './trigger-audience.service.js';
import { TriggerCrowdService } from './trigger-crowd.service.js';
import { TriggerEventTypes } from './trigger.event-types.js';
import { TriggerTestsService } from './trigger-tests.service.js';
import { TriggersController } from './triggers.controller.js';
import { TriggersRepository } from './triggers.repository.js';
import { TriggersService } from './triggers.service.js';

/** Runs that events start. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Trigger, TriggerFiring, WaitingFiring]),
    AutomationsModule,
    ScriptsModule,
  ],
  controllers: [TriggersController],
  providers: [
    FiringClaimsRepository,
    FiringDispatcher,
    ScriptTriggers,
    TriggerAudienceService,
    TriggerAuthorsService,
    TriggerCrowdService,
    TriggerEventTypes,
    TriggerFiringRepository,
    TriggerFiringService,
    TriggerRunsService,
    TriggerTestsService,
    TriggersRepository,
    TriggersService,
  ],
})
export class TriggersModule {}
