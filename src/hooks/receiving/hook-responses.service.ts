import { Injectable } from '@nestjs/common';

import { NotFound, Unavailable } from '../../core/errors/index.js';
import { RawJson } from '../../core/json/index.js';
import { type AutomatedRunOrder, BACKLOG, RunOutcomesService } from '../../runs/index.js';
import type { OpenHook } from '../hooks.repository.js';
import { type Acceptance, HookAcceptanceService } from './hook-acceptance.service.js';
import { HookMetrics } from './hook-metrics.js';

/** What a sender gets. */
export interface HookResponse {
  status: 200 | 202;
  body: unknown;
}

/** How long a sender waits for the output. */
const PATIENCE_MS = 10_000;

/** Has requests written down, and makes the response: at once, or with the run's output where the hook says `respond`. */
@Injectable()
export class HookResponsesService {
  constructor(
    private readonly acceptance: HookAcceptanceService,
    private readonly outcomes: RunOutcomesService,
    private readonly metrics: HookMetrics,
  ) {}

  /**
   * @returns `changed` where the script was published meanwhile, so that the order has to be made anew
   * @throws NotFound, Unavailable
   */
  async accept(
    { respond }: OpenHook,
    acceptance: Acceptance & { order: AutomatedRunOrder },
  ): Promise<HookResponse | 'changed'> {
    // From before the run is made, so that its end is not missed.
    const watch = respond ? this.outcomes.watch(acceptance.order.id) : null;
    try {
      const accepted = await this.acceptance.accept(acceptance);
      if (accepted.outcome === 'changed') return 'changed';
      if (accepted.outcome !== 'taken') throw this.problemOf(accepted.outcome);
      this.metrics.count(accepted.runId === null ? 'duplicate' : 'accepted');
      const taken = { status: 202, body: { id: acceptance.receipt.id } } as const;
      if (!watch || accepted.runId === null) return taken;
      const end = await this.outcomes.endOf(accepted.runId, watch, PATIENCE_MS);
      if (!end) return taken;
      if (end.status !== 'succeeded') throw new Unavailable('The script did not succeed.', 60);
      return { status: 200, body: end.output === null ? null : new RawJson(end.output) };
    } finally {
      watch?.close();
    }
  }

  private problemOf(outcome: 'gone' | 'full' | 'failed'): Error {
    if (outcome === 'gone') {
      this.metrics.count('refused');
      return new NotFound('hook');
    }
    return outcome === 'full'
      ? new Unavailable('There is no room for another run just now.', BACKLOG.retrySeconds)
      : new Unavailable('The request could not be written down. Send it again shortly.');
  }
}
