import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';

import { Database } from '../../core/database/index.js';
import { Drain, Instance } from '../../core/work/index.js';
import { Metrics } from '../../core/telemetry/index.js';
import type { RecordedAttempt } from './attempt.js';
import { EndpointDisablingService } from './endpoint-disabling.service.js';
import { MOST_FAILURES, summarise, tooManyFailures } from './endpoint-summary.js';
import { OutcomesRepository } from './outcomes.repository.js';

const MOST_IN_A_BATCH = 500;
/** Outcomes wait this long for others to share a statement with. */
const GATHER_MS = 5;
const RETRY_MS = 500;

/** Who is told when outcomes are written. */
export interface OutcomeOwner {
  readonly endpointId: string;
  /** Asked just before so many of its outcomes are written: whether the lease ends with them, since nothing else is left to do. */
  mayRelease(outcomes: number): boolean;
  written(deliveryIds: readonly string[], released: boolean): void;
}

interface Waiting {
  attempt: RecordedAttempt;
  owner: OutcomeOwner | null;
  done: () => void;
}

/** Writes the outcomes of attempts, those at all endpoints together. While the database is away, they wait. */
@Injectable()
export class OutcomeWriter {
  private readonly logger = new Logger('Deliveries');
  private waiting: Waiting[] = [];
  private writing: Promise<void> | null = null;
  private ending = false;
  private readonly counter: Counter<'outcome'>;

  constructor(
    private readonly outcomes: OutcomesRepository,
    private readonly disabling: EndpointDisablingService,
    private readonly database: Database,
    private readonly instance: Instance,
    metrics: Metrics,
  ) {
    this.counter = new Counter({
      name: 'gatehouse_webhook_attempts_total',
      help: 'Attempts to deliver an event, by what came of them.',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    });
    for (const outcome of ['delivered', 'failed']) this.counter.inc({ outcome }, 0);
  }

  /** Resolves once it is written. */
  write(attempt: RecordedAttempt, owner: OutcomeOwner | null = null): Promise<void> {
    this.counter.inc({ outcome: attempt.ok ? 'delivered' : 'failed' });
    return new Promise((done) => {
      this.waiting.push({ attempt, owner, done });
      this.writing ??= this.writeAll().finally(() => {
        this.writing = null;
      });
    });
  }

  /** What the database does not take from now on is forgotten, and those attempts are made again. */
  @Drain()
  async giveUp(): Promise<void> {
    this.ending = true;
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      if (this.waiting.length < MOST_IN_A_BATCH) await pause(GATHER_MS);
      const batch = this.waiting.splice(0, MOST_IN_A_BATCH);
      const owned = batch.filter((each): each is Waiting & { owner: OutcomeOwner } => each.owner !== null);
      const owners = grouped(owned, ({ owner }) => owner);
      const released = new Set(
        [...owners].filter(([owner, own]) => owner.mayRelease(own.length)).map(([owner]) => owner),
      );
      const releasedIds = new Set([...released].map(({ endpointId }) => endpointId));
      await this.persist(
        batch.map(({ attempt }) => attempt),
        releasedIds,
      );
      for (const [owner, own] of owners) {
        const ids = own.map(({ attempt }) => attempt.deliveryId);
        owner.written(ids, released.has(owner));
      }
      for (const { done } of batch) done();
    }
  }

  /** Tries until it succeeds: attempts whose outcome is lost would be made again. */
  private async persist(attempts: readonly RecordedAttempt[], released: ReadonlySet<string>): Promise<void> {
    for (;;) {
      try {
        const failed = attempts.some(({ ok }) => !ok);
        return await (failed
          ? this.database.transaction(() => this.record(attempts, released))
          : this.record(attempts, released));
      } catch (error) {
        this.logger.warn(`Outcomes of deliveries could not be written: ${String(error)}`);
        if (this.ending) return;
        await pause(RETRY_MS);
      }
    }
  }

  private async record(attempts: readonly RecordedAttempt[], released: ReadonlySet<string>): Promise<void> {
    const byEndpoint = grouped(attempts, ({ endpointId }) => endpointId);
    // In the order of their ids, so that two processes that write the same endpoints do not wait for each other.
    const summaries = [...byEndpoint]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([id, own]) => summarise(id, own, released.has(id)));
    const states = await this.outcomes.record(attempts, summaries, this.instance.id);
    for (const { id, enabled, consecutiveFailures } of states) {
      const { reason } = summaries.find((summary) => summary.id === id)!;
      if (!enabled || (reason === null && consecutiveFailures < MOST_FAILURES)) continue;
      await this.disabling.disable(id, reason ?? tooManyFailures(byEndpoint.get(id)!.at(-1)!));
    }
  }
}

function grouped<T, Key>(items: readonly T[], keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
