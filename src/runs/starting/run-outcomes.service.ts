import { Injectable, type OnModuleInit } from '@nestjs/common';

import type { WorkspaceCaller } from '../../core/access/caller.js';
import { Settings } from '../../core/config/settings.js';
import { ResourceResponses } from '../../core/idempotency/resource-responses.js';
import { Watches } from '../../core/work/watch.js';
import type { HeldRunDto } from '../run.dto.js';
import { presentHeldRun } from '../run.presenter.js';
import { RUN_TOPIC } from '../run.topics.js';
import { RunsRepository } from '../runs.repository.js';
import { RunsService } from '../runs.service.js';

/** A short run is waited for this much longer than its time-out, for the queue and the preparations. */
const PATIENCE_MS = 10_000;
const SHORT_RUN_SECONDS = 30;

export interface StartedRun {
  run: HeldRunDto;
  /** False: the run goes on, or waits for a person. */
  finished: boolean;
}

/** What whoever starts a run gets: the finished run where that takes a short time, otherwise the run as it is. */
@Injectable()
export class RunOutcomesService implements OnModuleInit {
  constructor(
    private readonly runs: RunsService,
    private readonly repository: RunsRepository,
    private readonly watches: Watches,
    private readonly responses: ResourceResponses,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.responses.register('run', (id, caller) => this.responseToRetry(id, caller));
  }

  /**
   * Waits for the end of a run that `start` makes, listening from before it is made.
   *
   * @param start says whether the run is held: then nothing is waited for
   */
  async after(
    caller: WorkspaceCaller,
    { id, timeoutSeconds }: { id: string; timeoutSeconds: number },
    start: () => Promise<{ held: boolean }>,
  ): Promise<StartedRun> {
    const watch = this.watches.open(RUN_TOPIC, id);
    try {
      const { held } = await start();
      const patienceMs = held ? 0 : patienceFor(timeoutSeconds);
      const deadline = Date.now() + patienceMs;
      if (patienceMs > 0) await watch.next(patienceMs);
      const run = await watch.until(
        () => this.runs.get(caller, id),
        ({ phase }) => (phase === 'finished' ? 0 : deadline - Date.now()),
      );
      return { run: presentHeldRun(run, this.settings.baseUrl), finished: run.phase === 'finished' };
    } finally {
      watch.close();
    }
  }

  /** For a retry with the same Idempotency-Key: the run, once the first request would have got it. */
  private async responseToRetry(
    id: string,
    caller: WorkspaceCaller,
  ): Promise<{ status: number; body: unknown } | null> {
    const row = await this.repository.find(id, caller);
    if (!row) return null;
    const goesOn = row.phase !== 'finished' && row.phase !== 'held';
    const patienceMs = goesOn ? patienceFor(await this.repository.timeoutSeconds(id)) : 0;
    if (Date.now() < row.startedAt.getTime() + patienceMs) return null;
    const body = presentHeldRun(await this.runs.present(row), this.settings.baseUrl);
    return { status: row.phase === 'finished' ? 200 : 202, body };
  }
}

/** How long a start waits for the end: not at all for a long run. */
function patienceFor(timeoutSeconds: number): number {
  return timeoutSeconds <= SHORT_RUN_SECONDS ? timeoutSeconds * 1000 + PATIENCE_MS : 0;
}
