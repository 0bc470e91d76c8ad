import { Module } from '@nestjs/common';

import { ApprovalsModule } from '../approvals/index.js';
import { FailuresModule } from '../failures/index.js';
import { FilesModule } from '../files/index.js';
import { RunsModule } from '../runs/index.js';
import { ScriptsModule } from '../scripts/index.js';
import { WebhooksModule } from '../webhooks/index.js';
import { ApprovalTools } from './families/approval-tools.js';
import { FileTools } from './families/file-tools.js';
import { RunHistoryTools } from './families/run-history-tools.js';
import { RunTools } from './families/run-tools.js';
import { ScriptTools } from './families/script-tools.js';
import { WebhookTools } from './families/webhook-tools.js';
import { PlatformTools } from './platform-tools.js';
import { ResourcesService } from './resources.service.js';
import { RunCallsService } from './run-calls.service.js';
import { TextFilesService } from './text-files.service.js';
import { ToolCallAudit } from './tool-call-audit.js';
import { ToolsService } from './tools.service.js';

/** Tools for agents, whatever protocol brings their calls, and what the results link to. */
@Module({
  imports: [ApprovalsModule, FailuresModule, FilesModule, RunsModule, ScriptsModule, WebhooksModule],
  providers: [
    ApprovalTools,
    FileTools,
    PlatformTools,
    ResourcesService,
    RunCallsService,
    RunHistoryTools,
    RunTools,
    TextFilesService,
    ScriptTools,
    ToolCallAudit,
    ToolsService,
    WebhookTools,
  ],
  exports: [ResourcesService, ToolsService],
})
export class ToolsModule {}
