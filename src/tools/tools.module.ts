import { Module } from '@nestjs/common';

import { FilesModule } from '../files/index.js';
import { RunsModule } from '../runs/index.js';
import { ScriptsModule } from '../scripts/index.js';
import { RunTools } from './families/run-tools.js';
import { ScriptTools } from './families/script-tools.js';
import { FixedTools } from './fixed-tools.js';
import { ResourcesService } from './resources.service.js';
import { RunCallsService } from './run-calls.service.js';
import { ToolsService } from './tools.service.js';

/** Tools for agents, whatever protocol brings their calls, and what the results link to. */
@Module({
  imports: [FilesModule, RunsModule, ScriptsModule],
  providers: [FixedTools, ResourcesService, RunCallsService, RunTools, ScriptTools, ToolsService],
  exports: [ResourcesService, ToolsService],
})
export class ToolsModule {}
