import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { type DispatchedEvent, EventConsumers } from '../../core/outbox/index.js';
import { Loop, Waker } from '../../core/work/index.js';
import { countedEnd, summed } from './counted-ends.js';
import { UNITS } from './run-statistic.entity.js';
import type { RunEndSighting } from './run-end-sighting.entity.js';
import { RunEndSightingsRepository } from './run-end-sightings.repository.js';
import { RunStatisticsRepository } from './run-statistics.repository.js';

const SIGHTINGS_TOPIC = 'run-end-sightings';
const LOOK_EVERY_MS = 2_000;
/** Of a busy workspace many runs are counted at once, which costs hardly more than one. */
const APART_MS = 500;
const RUNS = 500;
const ENDS: readonly string[] = ['run.succeeded', 'run.failed', 'run.cancelled'];

/**
 * Counts how runs ended, by hour and day. Each end is noted in the transaction that dispatches its event. A loop counts them: the
 * note is deleted in the transaction that counts its run, so a kill neither loses nor doubles one.
 */
@Injectable()
export class RunEndsCounter implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly sightings: RunEndSightingsRepository,
    private readonly statistics: RunStatisticsRepository,
    private readonly waker: Waker,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.consumers.register('statistics', (events) => this.note(events));
  }

  private async note(events: readonly DispatchedEvent[]): Promise<void> {
    const ends = events.flatMap(({ id: eventId, workspaceId, type, data, createdAt: at }) => {
      const { runId, test, trial } = data;
      if (!ENDS.includes(type) || test === true || trial === true || typeof runId !== 'string') return [];
      return [{ workspaceId, eventId, runId, at }];
    });
    if (ends.length === 0) return;
    await this.sightings.note(ends);
    this.waker.wake(SIGHTINGS_TOPIC);
  }

  @Loop({ every: LOOK_EVERY_MS, wake: SIGHTINGS_TOPIC, apart: APART_MS })
  pass(): Promise<boolean> {
    return this.sightings.workOff(RUNS, (id, read) =>
      this.database.transaction(() => this.countNext(id, read)),
    );
  }

  private async countNext(workspaceId: string, read: () => Promise<RunEndSighting[]>): Promise<number> {
    if (!(await this.statistics.takeTurn(workspaceId))) return 0;
    const next = await read();
    await this.sightings.take(workspaceId, next);
    const runs = await this.sightings.runs(next);
    const ends = UNITS.flatMap((unit) => runs.map((run) => countedEnd(workspaceId, unit, run)));
    await this.statistics.add(summed(ends));
    return next.length;
  }
}
