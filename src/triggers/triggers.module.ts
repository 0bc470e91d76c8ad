import { Module } from '@nestjs/common';

import { AutomationsModule } from '../automations/automations.module.js';
import { ScriptsModule } from '../scripts/scripts.module.js';
import { FiringExpiryRepository } from './firing/firing-expiry.repository.js';
import { TriggerChains } from './firing/trigger-chains.js';
import { TriggerChainsRepository } from './firing/trigger-chains.repository.js';
import { TriggerFiring } from './firing/trigger-firing.js';
import { TriggerFiringRepository } from './firing/trigger-firing.repository.js';
import { ScriptTriggers } from './script-triggers.js';
import { ScriptTriggersRepository } from './script-triggers.repository.js';
import { TriggerEventTypes } from './trigger.event-types.js';
import { TriggerTests } from './trigger-test.service.js';
import { TriggersController } from './triggers.controller.js';
import { TriggersRepository } from './triggers.repository.js';
import { TriggersService } from './triggers.service.js';

/** Runs by what happens. */
@Module({
  imports: [AutomationsModule, ScriptsModule],
  controllers: [TriggersController],
  providers: [
    FiringExpiryRepository,
    ScriptTriggers,
    ScriptTriggersRepository,
    TriggerChains,
    TriggerChainsRepository,
    TriggerEventTypes,
    TriggerFiring,
    TriggerFiringRepository,
    TriggerTests,
    TriggersRepository,
    TriggersService,
  ],
})
export class TriggersModule {}
