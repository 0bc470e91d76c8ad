import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { HOOK_REFUSED } from '../hook.event-types.js';
import { HooksRepository, type OpenHook } from '../hooks.repository.js';
import { HookLimits } from './hook-limits.js';
import { HookMetrics } from './hook-metrics.js';
import { HookReceiptsRepository, type NewReceipt } from './hook-receipts.repository.js';

/** Keeps what was refused, so that whoever looks after the hook finds out why, and tells of it now and then. */
@Injectable()
export class HookRefusalsService {
  constructor(
    private readonly hooks: HooksRepository,
    private readonly receipts: HookReceiptsRepository,
    private readonly limits: HookLimits,
    private readonly metrics: HookMetrics,
    private readonly outbox: Outbox,
    private readonly database: Database,
  ) {}

  async keep(hook: OpenHook, receipt: NewReceipt): Promise<void> {
    this.metrics.count('refused');
    if (!(await this.limits.mayKeepRefusal(hook))) return;
    const { id, workspaceId, environmentId, name } = hook;
    await this.database.transaction(async () => {
      await this.receipts.insert([receipt]);
      if (!(await this.hooks.takeRefusalTurn(id))) return;
      const data = { id, name, reason: receipt.reason };
      await this.outbox.add({ workspaceId, environmentId, type: HOOK_REFUSED, data });
    });
  }
}
