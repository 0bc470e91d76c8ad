import { Injectable } from '@nestjs/common';

import { ApprovalTools } from './families/approval-tools.js';
import { FileTools } from './families/file-tools.js';
import { RunHistoryTools } from './families/run-history-tools.js';
import { RunTools } from './families/run-tools.js';
import { ScriptTools } from './families/script-tools.js';
import { WebhookTools } from './families/webhook-tools.js';
import type { FixedTool } from './fixed-tool.js';

/** All tools of the platform itself, in the order in which they are listed. Each has `_` in its name, which no slug has. */
@Injectable()
export class PlatformTools {
  readonly all: readonly FixedTool[];
  private readonly byName: ReadonlyMap<string, FixedTool>;

  constructor(
    scripts: ScriptTools,
    runs: RunTools,
    history: RunHistoryTools,
    files: FileTools,
    approvals: ApprovalTools,
    webhooks: WebhookTools,
  ) {
    const families = [scripts, runs, history, files, approvals, webhooks];
    this.all = families.flatMap(({ tools }) => tools);
    this.byName = new Map(this.all.map((tool) => [tool.name, tool]));
  }

  find(name: string): FixedTool | undefined {
    return this.byName.get(name);
  }
}
