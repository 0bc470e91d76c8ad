import { type DynamicModule, Module } from '@nestjs/common';

import { ScriptsModule } from '../scripts/scripts.module.js';
import { AutomationNeeds } from './automation-needs.js';
import { AutomationNeedsRepository } from './automation-needs.repository.js';
import { AutomationSwitch } from './automation-switch.js';
import { AutomationSwitchRepository } from './automation-switch.repository.js';

/** What schedules and triggers share: both start runs of a script in an environment, as whoever made them. */
@Module({})
export class AutomationsModule {
  static with(runs: DynamicModule): DynamicModule {
    return {
      module: AutomationsModule,
      imports: [ScriptsModule, runs],
      providers: [AutomationNeeds, AutomationNeedsRepository, AutomationSwitch, AutomationSwitchRepository],
      exports: [AutomationNeeds, AutomationSwitch, runs],
    };
  }
}
