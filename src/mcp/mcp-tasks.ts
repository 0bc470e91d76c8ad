import type { Server, ServerContext, StandardSchemaV1 } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';

import { cutText } from '../../libs/cut-text/index.js';
import { type ToolCallContext, ToolsService } from '../tools/index.js';
import { abilitiesOf, TASKS_EXTENSION } from './client-capabilities.js';
import type { McpCall } from './mcp-call.js';
import type { McpSdk } from './mcp-sdk.js';
import { taskOf } from './task-of.js';
import { toMcpResult } from './to-mcp.js';

type Guarded = <R>(work: () => Promise<R>) => Promise<R>;

interface TaskParams {
  taskId: string;
}

/** A task is a run, by the run's id. Clients ask how it stands; nothing that they say here changes what a person has to decide. */
@Injectable()
export class McpTasks {
  constructor(private readonly tools: ToolsService) {}

  serve(sdk: McpSdk, server: Server, call: McpCall, guarded: Guarded): void {
    const on = (method: string, work: (taskId: string, context: ServerContext) => Promise<object>): void =>
      server.setRequestHandler(method, { params: TASK_PARAMS }, ({ taskId }, context) =>
        guarded(async () => {
          assertKnowsTasks(sdk, context);
          return { ...(await work(taskId, context)) };
        }),
      );
    on('tasks/get', (taskId, context) => this.get(sdk, call, taskId, context));
    on('tasks/update', (taskId) => this.acknowledge(sdk, call, taskId));
    on('tasks/cancel', (taskId) => this.cancel(sdk, call, taskId));
  }

  private async get(sdk: McpSdk, call: McpCall, taskId: string, context: ServerContext): Promise<object> {
    const result = await this.tools.look(call, taskId, contextOf(call));
    if (!result.run) throw unknownTask(sdk, taskId);
    const task = taskOf(sdk, result.run, abilitiesOf(context));
    return { ...task, ...(task.status === 'completed' && { result: toMcpResult(result) }) };
  }

  /** A client's reply to an elicitation is no person's approval. */
  private async acknowledge(sdk: McpSdk, call: McpCall, taskId: string): Promise<object> {
    const { run } = await this.tools.look(call, taskId, contextOf(call));
    if (!run) throw unknownTask(sdk, taskId);
    return {};
  }

  private async cancel(sdk: McpSdk, call: McpCall, taskId: string): Promise<object> {
    const { isError, structured } = await this.tools.call(
      call,
      'cancel_run',
      { runId: taskId },
      contextOf(call),
    );
    const code = (structured as { error?: { code?: string } } | undefined)?.error?.code;
    // What is finished needs no cancelling.
    if (isError && code !== 'conflict') throw unknownTask(sdk, taskId);
    return {};
  }
}

function contextOf({ cancelled, requestId }: McpCall): ToolCallContext {
  return { signal: cancelled, requestId };
}

function assertKnowsTasks(sdk: McpSdk, context: ServerContext): void {
  if (abilitiesOf(context).tasks) return;
  throw new sdk.MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });
}

function unknownTask(sdk: McpSdk, taskId: string): Error {
  return new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `Unknown task: ${cutText(taskId, 100)}`);
}

/** The extension is none of the SDK's, so it checks these parameters by what it is given here. */
const TASK_PARAMS: StandardSchemaV1<unknown, TaskParams> = {
  '~standard': {
    version: 1,
    vendor: 'gatehouse',
    validate: (value) => {
      const { taskId } = (value ?? {}) as { taskId?: unknown };
      return typeof taskId === 'string'
        ? { value: { taskId } }
        : { issues: [{ message: 'taskId must be a string' }] };
    },
  },
};
