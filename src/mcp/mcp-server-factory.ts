import type { McpRequestContext, Server } from '@modelcontextprotocol/server';
import { Injectable, Logger } from '@nestjs/common';

import { VERSION } from '../core/config/index.js';
import { problemOf } from '../core/pipeline/index.js';
import { ToolsService } from '../tools/index.js';
import { TASKS_EXTENSION } from './client-capabilities.js';
import type { McpCall } from './mcp-call.js';
import { McpResources } from './mcp-resources.js';
import type { McpSdk } from './mcp-sdk.js';
import { McpTasks } from './mcp-tasks.js';
import { McpToolCallHandler } from './mcp-tool-call-handler.js';
import { RequestStateSigner } from './request-state-signer.js';
import { toMcpTool } from './to-mcp.js';

const SERVER = { name: 'gatehouse', title: 'Gatehouse', version: VERSION };

const INSTRUCTIONS = `Each script of this workspace is a tool that runs it, by its slug. Where there are many, only some are listed: find_scripts finds the others, and run_script runs them.
A result whose status is awaiting_approval waits for a person: show them approveUrl, then call wait_for_run with the runId. Never start such a run again.
A run that goes on is followed by wait_for_run. Many inputs of one script are a run_batch. What failed lately is told by list_errors, and its runs by list_runs. What is cut in a result can be read at the gatehouse:// address that it names.`;

/** For a minute a client may take its list as it is, unless it listens. Lists differ by who asks. */
const CACHED = { ttlMs: 60_000, cacheScope: 'private' } as const;

/** Makes what handles one message: the SDK's servers keep no state between messages. */
@Injectable()
export class McpServerFactory {
  private readonly logger = new Logger(McpServerFactory.name);

  constructor(
    private readonly tools: ToolsService,
    private readonly calls: McpToolCallHandler,
    private readonly tasks: McpTasks,
    private readonly resources: McpResources,
    private readonly states: RequestStateSigner,
  ) {}

  make(sdk: McpSdk, { era, authInfo }: McpRequestContext): Server {
    const call = authInfo?.extra?.['call'] as McpCall;
    const isModern = era === 'modern';
    const server = new sdk.Server(SERVER, {
      capabilities: {
        tools: { listChanged: isModern },
        resources: {},
        ...(isModern && { extensions: { [TASKS_EXTENSION]: {} } }),
      },
      instructions: INSTRUCTIONS,
      inputRequired: { legacyShim: false },
      requestState: { verify: (state) => this.states.verify(state, call) },
      cacheHints: {
        'tools/list': CACHED,
        'resources/list': CACHED,
        'resources/templates/list': CACHED,
        'server/discover': CACHED,
      },
    });
    const guarded = <R>(work: () => Promise<R>): Promise<R> => this.guarded(sdk, call, work);
    server.setRequestHandler('tools/list', ({ params }) =>
      guarded(async () => {
        const { tools, nextCursor } = await this.tools.page(call.caller, params?.cursor);
        return { tools: tools.map(toMcpTool), ...(nextCursor !== null && { nextCursor }) };
      }),
    );
    server.setRequestHandler('tools/call', ({ params }, context) =>
      guarded(() => this.calls.answer(sdk, { call, isModern, params, context })),
    );
    server.setRequestHandler('resources/list', () => ({ resources: [] }));
    server.setRequestHandler('resources/templates/list', () => this.resources.templates());
    server.setRequestHandler('resources/read', ({ params }) =>
      guarded(() => this.resources.read(sdk, call, params.uri)),
    );
    if (isModern) this.tasks.serve(sdk, server, call, guarded);
    return server;
  }

  /** What goes wrong on our side is in the log, and no word of it in the response. */
  private async guarded<R>(sdk: McpSdk, call: McpCall, work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof sdk.ProtocolError) throw error;
      const { code, message, status } = problemOf(error);
      if (status >= 500) {
        this.logger.error(error, { method: String(call.message['method']), requestId: call.requestId });
      }
      const { InternalError, InvalidParams } = sdk.ProtocolErrorCode;
      throw new sdk.ProtocolError(status >= 500 ? InternalError : InvalidParams, `${code}: ${message}`, {
        code,
      });
    }
  }
}
