import { Module } from '@nestjs/common';

import { ToolsService } from './tools.service.js';

/** Tools for agents, whatever protocol brings their calls. */
@Module({
  providers: [ToolsService],
  exports: [ToolsService],
})
export class ToolsModule {}
