import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';

import { EventBacklog } from '../../core/outbox/index.js';
import { AlertSighting } from './alert-sighting.entity.js';
import { AlertState } from './alert-state.entity.js';
import { type RunState, runStateKey, type Sighting } from './judge.js';

/** Of these the 95th percentile is taken, where there are enough. */
const RUNS_OF_PERCENTILE = 100;
const LEAST_RUNS = 20;
/** So many of the newest runs are looked at for a success. */
const NEWEST_RUNS = 200;

interface RunPlace {
  scriptId: string;
  /** null: whatever started them. */
  scheduleId: string | null;
}

/** What rules have still to be held against, and what they look at for it. */
@Injectable()
export class AlertSightingsRepository extends EventBacklog<AlertSighting> {
  constructor(
    @InjectRepository(AlertSighting) sightings: Repository<AlertSighting>,
    @InjectRepository(AlertState) private readonly states: Repository<AlertState>,
  ) {
    super(sightings, 'ruleId');
  }

  /** By `runStateKey`. */
  async statesOf(ruleId: string, scriptIds: readonly string[]): Promise<Map<string, RunState>> {
    const states = await this.states.findBy({ ruleId, scriptId: In([...scriptIds]) });
    return new Map(states.map((state) => [runStateKey(state), state]));
  }

  async keepStates(states: readonly AlertState[]): Promise<void> {
    if (states.length === 0) return;
    await this.states
      .createQueryBuilder()
      .insert()
      .values([...states])
      .orUpdate(['failing', 'event_id'], ['rule_id', 'script_id', 'environment_id'])
      .updateEntity(false)
      .execute();
  }

  /** Which of these runs a schedule has started. */
  async startedBy(scheduleId: string, sightings: readonly Sighting[]): Promise<Set<string>> {
    const ids = sightings.flatMap(({ data }) => data.runId ?? []);
    if (ids.length === 0) return new Set();
    const rows = await this.states.manager
      .createQueryBuilder('Run', 'r')
      .select('r.id', 'id')
      .where({ id: In(ids), scheduleId })
      .getRawMany<{ id: string }>();
    return new Set(rows.map(({ id }) => id));
  }

  /** What 95 % of a script's newest successes took at most; null: there are too few of them. */
  async usualMs(scriptId: string): Promise<number | null> {
    const rows = await this.states.manager
      .createQueryBuilder()
      .select('r.ms', 'ms')
      .from(
        (query) =>
          query
            .select('newest.duration_ms', 'ms')
            .addSelect('newest.status', 'status')
            .addSelect('newest.id', 'id')
            .from('Run', 'newest')
            .where('newest.script_id = :scriptId AND NOT newest.test AND NOT newest.plan')
            .orderBy('newest.id', 'DESC')
            .limit(NEWEST_RUNS),
        'r',
      )
      .where(`r.status = 'succeeded' AND r.ms IS NOT NULL`)
      .orderBy('r.id', 'DESC')
      .setParameters({ scriptId })
      .limit(RUNS_OF_PERCENTILE)
      .getRawMany<{ ms: number }>();
    if (rows.length < LEAST_RUNS) return null;
    const sorted = rows.map(({ ms }) => ms).sort((one, other) => one - other);
    return sorted[Math.ceil(sorted.length * 0.95) - 1]!;
  }

  /** When one of the newest runs succeeded last, whether or not its event has come round yet. */
  async lastSuccess({ scriptId, scheduleId }: RunPlace): Promise<Date | null> {
    const row = await this.states.manager
      .createQueryBuilder()
      .select('max(r.at)', 'at')
      .from((query) => {
        const newest = query
          .select('newest.finished_at', 'at')
          .addSelect('newest.status', 'status')
          .from('Run', 'newest')
          .where('newest.script_id = :scriptId AND NOT newest.test AND NOT newest.plan')
          .orderBy('newest.id', 'DESC')
          .limit(NEWEST_RUNS);
        return scheduleId === null ? newest : newest.andWhere('newest.schedule_id = :scheduleId');
      }, 'r')
      .where(`r.status = 'succeeded'`)
      .setParameters({ scriptId, scheduleId })
      .getRawOne<{ at: Date | null }>();
    return row?.at ?? null;
  }
}
