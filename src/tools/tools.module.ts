import { Module } from '@nestjs/common';

import { RunsModule } from '../runs/index.js';
import { ScriptsModule } from '../scripts/index.js';
import { RunTools } from './families/run-tools.js';
import { ScriptTools } from './families/script-tools.js';
import { FixedTools } from './fixed-tools.js';
import { RunCallsService } from './run-calls.service.js';
import { ToolsService } from './tools.service.js';

/** Tools for agents, whatever protocol brings their calls. */
@Module({
  imports: [RunsModule, ScriptsModule],
  providers: [FixedTools, RunCallsService, RunTools, ScriptTools, ToolsService],
  exports: [ToolsService],
})
export class ToolsModule {}
