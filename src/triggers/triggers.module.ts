import { type DynamicModule, Module } from '@nestjs/common';

import { ScriptsModule } from '../scripts/scripts.module.js';
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
@Module({})
export class TriggersModule {
  static with(automations: DynamicModule): DynamicModule {
    return {
      module: TriggersModule,
      imports: [ScriptsModule, automations],
      controllers: [TriggersController],
      providers: [
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
    };
  }
}
