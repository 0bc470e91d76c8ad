import { Injectable, Logger } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import type { WorkspaceCaller } from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import { AgentBudgetsService } from '../usage/index.js';
import type { ToolResult } from './tool.js';

interface AuditedCall {
  tool: string;
  /** The slug, where it is a script's tool. */
  script: string | null;
  reads: boolean;
}

/**
 * Which tools agents call. A call that changes something is an entry of the trail, beside the one that the change itself writes
 * in its transaction. Calls that only read are counted, and a share of them is written down. Never what they were given.
 */
@Injectable()
export class ToolCallAudit {
  private readonly logger = new Logger('Tools');

  constructor(
    private readonly audit: AuditTrail,
    private readonly budgets: AgentBudgetsService,
    private readonly settings: Settings,
  ) {}

  /** Nothing is done twice because this fails: the call is over. */
  async record(caller: WorkspaceCaller, call: AuditedCall, result: ToolResult): Promise<void> {
    try {
      if (call.reads) await this.budgets.addRead(caller);
      if (!call.reads || Math.random() < this.settings.agentAuditSample)
        await this.write(caller, call, result);
    } catch (error) {
      this.logger.error(error, { tool: call.tool });
    }
  }

  private write(
    caller: WorkspaceCaller,
    { tool, script, reads }: AuditedCall,
    { run, isError }: ToolResult,
  ): Promise<void> {
    const slug = script ?? run?.script.slug ?? null;
    const details = {
      ...(slug !== null && { script: slug }),
      ...(run && { runId: run.id }),
      failed: isError,
      ...(reads && { sampled: true }),
    };
    return this.audit.record(
      caller.workspace.id,
      caller,
      'agent.tool_called',
      { type: 'tool', id: tool },
      details,
    );
  }
}
