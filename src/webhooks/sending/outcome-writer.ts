import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';

import { Database } from '../../core/database/database.js';
import { Drain } from '../../core/work/drain.decorator.js';
import { Instance } from '../../core/work/instance.js';
import { Metrics } from '../../core/telemetry/metrics.js';
import type { RecordedAttempt } from './attempt.js';
import { EndpointDisabling } from './endpoint-disabling.js';
import { MOST_FAILURES, summarise, tooManyFailures } from './endpoint-summary.js';
import { OutcomesRepository } from './outcomes.repository.js';

const MOST_IN_A_BATCH = 500;
/** Outcomes wait this long for others to share a statement with. */
const GATHER_MS = 5;
const RETRY_MS = 500;

/** Who is told when outcomes are written. */
export interface OutcomeOwner {
  readonly endpointId: string;
  /**
   * Asked just before so many of its outcomes are written: whether nothing is left to do at the endpoint besides. If so, it
   * is let go of.
   */
  mayRelease(outcomes: number): boolean;
  written(deliveryIds: readonly string[], released: boolean): void;
}

interface Waiting {
  attempt: RecordedAttempt;
  owner: OutcomeOwner | null;
  done: () => void;
}

/** Writes what came of attempts, those of all endpoints together. While the database is away, they wait. */
@Injectable()
export class OutcomeWriter {
  private readonly logger = new Logger('Deliveries');
  private waiting: Waiting[] = [];
  private writing: Promise<void> | null = null;
  private ending = false;
  private readonly counter: Counter<'outcome'>;

  constructor(
    private readonly outcomes: OutcomesRepository,
    private readonly disabling: EndpointDisabling,
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
      const owners = new Map<OutcomeOwner, string[]>();
      for (const { owner, attempt } of batch) {
        if (owner) {
          const ids = owners.get(owner);
          if (ids) ids.push(attempt.deliveryId);
          else owners.set(owner, [attempt.deliveryId]);
        }
      }
      const released = new Set(
        [...owners].filter(([owner, ids]) => owner.mayRelease(ids.length)).map(([owner]) => owner),
      );
      const releasedIds = new Set([...released].map(({ endpointId }) => endpointId));
      await this.persist(
        batch.map(({ attempt }) => attempt),
        releasedIds,
      );
      for (const [owner, ids] of owners) owner.written(ids, released.has(owner));
      for (const { done } of batch) done();
    }
  }

  /** Until it is done: the attempts were made, and forgetting them would make them again. */
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
    const byEndpoint = new Map<string, RecordedAttempt[]>();
    for (const attempt of attempts) {
      const own = byEndpoint.get(attempt.endpointId);
      if (own) own.push(attempt);
      else byEndpoint.set(attempt.endpointId, [attempt]);
    }
    // In one order, so that two processes that write of the same endpoints do not wait for each other in a circle.
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

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
