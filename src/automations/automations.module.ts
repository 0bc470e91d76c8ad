import { Module } from '@nestjs/common';

import { RunsModule } from '../runs/index.js';
import { ScriptsModule } from '../scripts/scripts.module.js';
import { AutomationNeeds } from './automation-needs.js';
import { AutomationNeedsRepository } from './automation-needs.repository.js';
import { AutomationSwitch } from './automation-switch.js';
import { AutomationSwitchRepository } from './automation-switch.repository.js';

/** What schedules and triggers share: both start runs of a script in an environment, as whoever made them. */
@Module({
  imports: [ScriptsModule, RunsModule],
  providers: [AutomationNeeds, AutomationNeedsRepository, AutomationSwitch, AutomationSwitchRepository],
  exports: [AutomationNeeds, AutomationSwitch, RunsModule],
})
export class AutomationsModule {}
