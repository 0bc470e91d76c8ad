import { Module } from '@nestjs/common';

import { EnvironmentsModule } from '../environments/index.js';
import { RunsModule } from '../runs/index.js';
import { ScriptsModule } from '../scripts/index.js';
import { AutomationDisablingService } from './automation-disabling.service.js';
import { AutomationNeedsRepository } from './automation-needs.repository.js';
import { AutomationNeedsService } from './automation-needs.service.js';

/** What schedules and triggers share: both start runs of a script in an environment, as whoever made them. */
@Module({
  imports: [EnvironmentsModule, ScriptsModule, RunsModule],
  providers: [AutomationDisablingService, AutomationNeedsRepository, AutomationNeedsService],
  exports: [AutomationDisablingService, AutomationNeedsService, RunsModule],
})
export class AutomationsModule {}
