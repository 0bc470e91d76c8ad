import type {
  CallToolResult,
  InputRequiredResult,
  ProgressToken,
  ServerContext,
} from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';

import { cutText } from '../../libs/cut-text/index.js';
import { Lifecycle } from '../core/lifecycle/index.js';
import type { HeldRunDto } from '../runs/index.js';
import { type ToolCallContext, type ToolResult, ToolsService } from '../tools/index.js';
import { abilitiesOf } from './client-capabilities.js';
import type { McpCall } from './mcp-call.js';
import type { McpSdk } from './mcp-sdk.js';
import { type RequestState, RequestStateSigner } from './request-state-signer.js';
import { approvalRequest, taskOf } from './task-of.js';
import { toMcpResult } from './to-mcp.js';

/** How long the second round of a call waits for a run whose approval the client has shown to a person. */
const APPROVED_PATIENCE_MS = 20_000;

/** Whoever has waited for longer is asked anew who they are: a grant may have ended meanwhile. */
const UNCHECKED_MS = 1_000;

interface CallMessage {
  call: McpCall;
  isModern: boolean;
  params: { name: string; arguments?: Record<string, unknown> | undefined };
  context: ServerContext;
}

/** Handles calls of tools: returns their result, or for a longer run how to go on. */
@Injectable()
export class McpToolCallHandler {
  constructor(
    private readonly tools: ToolsService,
    private readonly states: RequestStateSigner,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** @throws ProblemError where the caller may not have the result any more, for which they waited */
  async answer(sdk: McpSdk, message: CallMessage): Promise<CallToolResult | InputRequiredResult> {
    const { call } = message;
    const began = performance.now();
    const result = await this.resultOf(sdk, message);
    if (performance.now() - began > UNCHECKED_MS) await call.enter(call.caller.environment.name);
    return result;
  }

  private async resultOf(sdk: McpSdk, message: CallMessage): Promise<CallToolResult | InputRequiredResult> {
    const { call, isModern, params, context } = message;
    // By the older version a connection that breaks cancels nothing.
    const given = isModern ? [call.cancelled, context.mcpReq.signal] : [call.cancelled];
    const { tasks } = abilitiesOf(context);
    const toolContext: ToolCallContext = {
      signal: AbortSignal.any([...given, this.lifecycle.stopping]),
      followsByItself: tasks,
      requestId: call.requestId,
      credential: call.credential,
      ...progressTo(context),
    };
    const state = context.mcpReq.requestState<RequestState | undefined>();
    if (state) {
      const patienceMs = wasDeclined(context) ? 0 : APPROVED_PATIENCE_MS;
      return toMcpResult(await this.tools.resume(call, state.runId, patienceMs, toolContext));
    }
    const result = await this.tools.call(call, params.name, params.arguments, toolContext);
    if (result.isUnknown) {
      throw new sdk.ProtocolError(
        sdk.ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${cutText(params.name, 100)}`,
      );
    }
    const { run } = result;
    if (!run || run.phase === 'finished' || !this.tools.startsRun(params.name)) return toMcpResult(result);
    if (given.some(({ aborted }) => aborted) && !this.lifecycle.stopping.aborted) {
      await this.tools.call(call, 'cancel_run', { runId: run.id }, toolContext);
    }
    return this.unfinished(sdk, message, result, run);
  }

  /** The run that the call has started is held, takes long, or waits for a person's yes to a request. */
  private unfinished(
    sdk: McpSdk,
    { call, context }: CallMessage,
    result: ToolResult,
    run: HeldRunDto,
  ): CallToolResult | InputRequiredResult {
    const abilities = abilitiesOf(context);
    if (abilities.tasks) {
      const { inputRequests: _, ...task } = taskOf(sdk, run, abilities);
      // The SDK has no type for the extension's results, and passes them on.
      return { resultType: 'task', ...task } as unknown as CallToolResult;
    }
    if (run.approval && abilities.urlElicitation) {
      return sdk.inputRequired({
        inputRequests: { approve: approvalRequest(sdk, run) },
        requestState: this.states.issue(call, run.id),
      });
    }
    return toMcpResult(result);
  }
}

/** The person has looked away from the address, so that nothing is to be waited for. What they decided there counts all the same. */
function wasDeclined({ mcpReq }: ServerContext): boolean {
  const reply = mcpReq.inputResponses?.['approve'] as { action?: unknown } | undefined;
  return reply?.action === 'decline' || reply?.action === 'cancel';
}

/** Progress is told only to a client that has asked for it, and only while it grows. */
function progressTo({ mcpReq }: ServerContext): Pick<ToolCallContext, 'onProgress'> {
  const progressToken = mcpReq._meta?.progressToken as ProgressToken | undefined;
  if (progressToken === undefined) return {};
  let reached = -1;
  return {
    onProgress: (progress, message) => {
      if (progress <= reached) return;
      reached = progress;
      const params = { progressToken, progress, total: 1, ...(message !== null && { message }) };
      // A client that has gone wants no progress.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}
