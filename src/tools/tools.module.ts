import { Module } from '@nestjs/common';

import { ApprovalsModule } from '../approvals/index.js';
import { FilesModule } from '../files/index.js';
import { RunsModule } from '../runs/index.js';
import { ScriptsModule } from '../scripts/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { ApprovalTools } from './families/approval-tools.js';
import { RunTools } from './families/run-tools.js';
import { ScriptTools } from './families/script-tools.js';
import { WebhookTools } from './families/webhook-tools.js';
import { PlatformTools } from './platform-tools.js';
import { ResourcesService } from './resources.service.js';
import { RunCallsService } from './run-calls.service.js';
import { ToolsService } from './tools.service.js';

/** Tools for agents, whatever protocol brings their calls, and what the results link to. */
@Module({
  imports: [ApprovalsModule, FilesModule, RunsModule, ScriptsModule, WebhooksModule],
  providers: [
    ApprovalTools,
    PlatformTools,
    ResourcesService,
    RunCallsService,
    RunTools,
    ScriptTools,
    ToolsService,
    WebhookTools,
  ],
  exports: [ResourcesService, ToolsService],
})
export class ToolsModule {}
