import { Injectable, Logger } from '@nestjs/common';

import { SYSTEM } from '../audit/index.js';
import { Database, isDatabaseAway } from '../core/database/index.js';
import { Loop } from '../core/work/index.js';
import { ApprovalEndNotifier } from './approval-end-notifier.js';
import { ApprovalsRepository, type EndedApproval } from './approvals.repository.js';

const SWEEP_EVERY_MS = 2_000;
const BATCH = 500;

/**
 * Marks requests whose time is up and ends what waits for them. Whether a request has expired does not depend on this:
 * its time alone decides. Every process does it.
 */
@Injectable()
export class ApprovalSweeper {
  private readonly logger = new Logger('Approvals');
  /** How many of the oldest could not be ended when they were last tried one by one. */
  private stuck = 0;

  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly endNotifier: ApprovalEndNotifier,
    private readonly database: Database,
  ) {}

  @Loop({ every: SWEEP_EVERY_MS })
  async sweep(): Promise<boolean> {
    try {
      return (await this.end(() => this.approvals.expireDue(BATCH))) === BATCH;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      this.logger.warn(`Requests could not be ended together: ${String(error)}`);
      await this.endSingly();
      return false;
    }
  }

  private end(expire: () => Promise<EndedApproval[]>): Promise<number> {
    return this.database.transaction(async () => {
      const ended = await expire();
      await this.endNotifier.tellExpired(ended, SYSTEM);
      for (const action of new Set(ended.map((request) => request.action))) {
        await this.endNotifier.clearUp(
          action,
          ended.filter((request) => request.action === action).map(unperformed),
        );
      }
      return ended.length;
    });
  }

  /** A request that cannot be ended holds up no other: those behind it are tried as well, and first the next time. */
  private async endSingly(): Promise<void> {
    const ids = await this.approvals.due(this.stuck, BATCH);
    let failed = 0;
    for (const id of ids) {
      try {
        await this.end(() => this.approvals.expire([id]));
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        failed += 1;
        this.logger.warn(`The request ${id} could not be ended: ${String(error)}`);
      }
    }
    this.stuck = ids.length < BATCH ? 0 : this.stuck + failed;
  }
}

function unperformed({ id, workspaceId, input, runId }: EndedApproval) {
  return { id, workspaceId, input, runId, status: 'expired' as const, reason: null };
}
