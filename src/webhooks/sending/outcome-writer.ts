import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';

import { Database } from '../../core/database/index.js';
import { Drain, InstanceHeartbeat, untilWritten } from '../../core/work/index.js';
import { Metrics } from '../../core/telemetry/index.js';
import type { RecordedAttempt } from './attempt.js';
import { Batcher } from './batcher.js';
import { EndpointDisablingService } from './endpoint-disabling.service.js';
import { MOST_FAILURES, summarise, tooManyFailures } from './endpoint-summary.js';
import { OutcomesRepository } from './outcomes.repository.js';

const MOST_IN_A_BATCH = 500;
/** Outcomes wait this long for others to share a statement with. */
const GATHER_MS = 5;

/** Whoever has the lease on the endpoint of an attempt. */
export interface LeaseHolder {
  readonly endpointId: string;
  /** Asked just before so many of its outcomes are written: whether the lease ends with them, since nothing else is left to do. */
  mayRelease(outcomes: number): boolean;
}

interface Outcome {
  attempt: RecordedAttempt;
  holder: LeaseHolder | null;
}

/** Writes the outcomes of attempts, those at all endpoints together. While the database is away, they wait. */
@Injectable()
export class OutcomeWriter {
  private readonly logger = new Logger('Deliveries');
  private readonly batcher = new Batcher<Outcome, boolean>((outcomes) => this.writeAll(outcomes), {
    most: MOST_IN_A_BATCH,
    atOnce: 1,
    gatherMs: GATHER_MS,
  });
  private ending = false;
  private readonly counter: Counter<'outcome'>;

  constructor(
    private readonly outcomes: OutcomesRepository,
    private readonly disabling: EndpointDisablingService,
    private readonly database: Database,
    private readonly instance: InstanceHeartbeat,
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

  /** Resolves once it is written, with whether the holder's lease has ended. */
  write(attempt: RecordedAttempt, holder: LeaseHolder | null = null): Promise<boolean> {
    this.counter.inc({ outcome: attempt.ok ? 'delivered' : 'failed' });
    return this.batcher.add({ attempt, holder });
  }

  /** What the database does not take from now on is forgotten, and those attempts are made again. */
  @Drain()
  async giveUp(): Promise<void> {
    this.ending = true;
  }

  private async writeAll(outcomes: readonly Outcome[]): Promise<boolean[]> {
    const attempts = outcomes.map(({ attempt }) => attempt);
    const ofHolders = Map.groupBy(outcomes, ({ holder }) => holder);
    const releasing = [...ofHolders].filter(([holder, own]) => holder?.mayRelease(own.length));
    const released = new Set(releasing.map(([holder]) => holder));
    const failed = attempts.some(({ ok }) => !ok);
    const endpointIds = new Set(releasing.map(([holder]) => holder!.endpointId));
    const record = (): Promise<void> => this.record(attempts, endpointIds);
    // It rejects only once the process ends.
    await untilWritten(
      () => (failed ? this.database.transaction(record) : record()),
      (error) => this.isTriedAgain(error),
    ).catch(() => undefined);
    return outcomes.map(({ holder }) => released.has(holder));
  }

  /** Until it succeeds: attempts whose outcome is lost would be made again. */
  private isTriedAgain(error: unknown): boolean {
    this.logger.warn(`Outcomes of deliveries could not be written: ${String(error)}`);
    return !this.ending;
  }

  private async record(attempts: readonly RecordedAttempt[], released: ReadonlySet<string>): Promise<void> {
    const byEndpoint = Map.groupBy(attempts, ({ endpointId }) => endpointId);
    // In the order of their ids, against deadlocks between processes.
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
