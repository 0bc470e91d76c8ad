import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { Metrics, Sampled } from '../../core/telemetry/index.js';
import { unplaceableEvent } from '../run.event-types.js';
import { RunPlacingRepository } from './run-placing.repository.js';

const BATCH = 500;

/** Says of runs that no worker can take them, as soon as that is so. */
@Injectable()
export class RunPlacingService {
  constructor(
    private readonly placing: RunPlacingRepository,
    private readonly database: Database,
    private readonly outbox: Outbox,
    metrics: Metrics,
  ) {
    const unplaceable = new Sampled(() => placing.countUnplaceable());
    metrics.gauge(
      'gatehouse_runs_unplaceable',
      'Runs of the whole service that wait for a worker with tags that none carries; every process tells the same.',
      () => unplaceable.value(),
    );
  }

  /** @returns whether there may be more */
  async look(): Promise<boolean> {
    await this.placing.unmark();
    return this.database.transaction(async () => {
      const runs = await this.placing.lockUnplaceable(BATCH);
      if (runs.length === 0) return false;
      await this.placing.mark(runs);
      await this.outbox.addMany(runs.filter(({ plan }) => !plan).map(unplaceableEvent));
      return runs.length === BATCH;
    });
  }
}
