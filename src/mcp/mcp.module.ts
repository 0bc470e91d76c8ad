import { Module } from '@nestjs/common';

import { RunsModule } from '../runs/index.js';
import { ToolsModule } from '../tools/index.js';
import { McpCancellations } from './mcp-cancellations.js';
import { McpController } from './mcp.controller.js';
import { McpEndpoint } from './mcp-endpoint.js';
import { McpHandler } from './mcp-handler.js';
import { McpResources } from './mcp-resources.js';
import { McpServerFactory } from './mcp-server-factory.js';
import { McpSubscriptions } from './mcp-subscriptions.js';
import { McpTasks } from './mcp-tasks.js';
import { McpToolCallHandler } from './mcp-tool-call-handler.js';
import { RequestStateSigner } from './request-state-signer.js';

/** The tools by the Model Context Protocol, for the clients that people connect. */
@Module({
  imports: [RunsModule, ToolsModule],
  controllers: [McpController],
  providers: [
    McpCancellations,
    McpEndpoint,
    McpHandler,
    McpResources,
    McpServerFactory,
    McpSubscriptions,
    McpTasks,
    McpToolCallHandler,
    RequestStateSigner,
  ],
})
export class McpModule {}
