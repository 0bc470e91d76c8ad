import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { type DispatchedEvent, EventConsumers } from '../../core/outbox/index.js';
import { Loop, Waker } from '../../core/work/index.js';
import { countedEnd, summed } from './counted-ends.js';
import { UNITS } from './run-statistic.entity.js';
import { RunStatisticsRepository } from './run-statistics.repository.js';

const SIGHTINGS_TOPIC = 'run-end-sightings';
const LOOK_EVERY_MS = 2_000;
/** Of a busy workspace many runs are counted at once, which costs hardly more than one. */
const APART_MS = 500;
const WORKSPACES = 50;
const RUNS = 500;
/** Of a workspace, before others have their turn. */
const PORTIONS = 10;
const ENDS: readonly string[] = ['run.succeeded', 'run.failed', 'run.cancelled'];

/**
 * Counts how runs ended, by hour and day. Each end is noted in the transaction that dispatches its event. A loop counts them: the
 * note is deleted in the transaction that counts its run, so a kill neither loses nor doubles one.
 */
@Injectable()
export class RunEndsCounter implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
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
    await this.statistics.note(ends);
    this.waker.wake(SIGHTINGS_TOPIC);
  }

  @Loop({ every: LOOK_EVERY_MS, wake: SIGHTINGS_TOPIC, apart: APART_MS })
  async pass(): Promise<boolean> {
    let more = false;
    for (const id of await this.statistics.workspaces(WORKSPACES)) more = (await this.countSome(id)) || more;
    return more;
  }

  /** True where there may be more. */
  private async countSome(workspaceId: string): Promise<boolean> {
    for (let portion = 0; portion < PORTIONS; portion++) {
      const count = await this.database.transaction(() => this.countNext(workspaceId));
      if (count < RUNS) return false;
    }
    return true;
  }

  private async countNext(workspaceId: string): Promise<number> {
    if (!(await this.statistics.takeTurn(workspaceId))) return 0;
    const { runs, count } = await this.statistics.take(workspaceId, RUNS);
    const ends = UNITS.flatMap((unit) => runs.map((run) => countedEnd(workspaceId, unit, run)));
    await this.statistics.add(summed(ends));
    return count;
  }
}
