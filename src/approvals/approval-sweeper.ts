import { Injectable, Logger } from '@nestjs/common';

import { SYSTEM } from '../audit/index.js';
import { isDatabaseAway } from '../core/database/database-errors.js';
import { Database } from '../core/database/database.js';
import { Loop } from '../core/work/loop.decorator.js';
import { ApprovalEndings } from './approval-endings.js';
import { ApprovalsRepository, type EndedApprovalRow } from './approvals.repository.js';

const SWEEP_EVERY_MS = 2_000;
const BATCH = 500;

/**
 * Marks requests whose time is up and ends what waits for them. Whether a request has expired does not depend on this:
 * its time alone decides. Every process does it.
 */
@Injectable()
export class ApprovalSweeper {
  private readonly logger = new Logger('Approvals');

  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly endings: ApprovalEndings,
    private readonly database: Database,
  ) {}

  @Loop({ every: SWEEP_EVERY_MS })
  async sweep(): Promise<boolean> {
    try {
      return (await this.expire(BATCH)) === BATCH;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      this.logger.warn(`Requests could not be ended together: ${String(error)}`);
      await this.expireSingly();
      return false;
    }
  }

  private expire(limit: number): Promise<number> {
    return this.database.transaction(async () => {
      const ended = await this.approvals.expireDue(limit);
      await this.endings.tellExpired(ended, SYSTEM);
      for (const action of new Set(ended.map((request) => request.action))) {
        await this.endings.clearUp(
          action,
          ended.filter((request) => request.action === action).map(unperformed),
        );
      }
      return ended.length;
    });
  }

  /** One that cannot be ended must not keep the others of its batch from it. */
  private async expireSingly(): Promise<void> {
    for (let count = 0; count < BATCH; count++) {
      if ((await this.expire(1).catch(() => 0)) === 0) return;
    }
  }
}

function unperformed({ id, workspaceId, input, runId }: EndedApprovalRow) {
  return { id, workspaceId, input, runId, status: 'expired' as const, reason: null };
}
