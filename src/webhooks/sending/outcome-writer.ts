import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';

import { Database } from '../../core/database/index.js';
import { Batcher, Drain, untilWritten } from '../../core/work/index.js';
import { Metrics } from '../../core/telemetry/index.js';
import type { RecordedAttempt } from './attempt.js';
import { EndpointDisablingService } from './endpoint-disabling.service.js';
import { MOST_FAILURES, summarise, tooManyFailures } from './endpoint-summary.js';
import { OutcomesRepository } from './outcomes.repository.js';

const MOST_IN_A_BATCH = 500;
/** Outcomes wait this long for others to share a statement with. */
const GATHER_MS = 5;

/** Writes the outcomes of attempts, those at all endpoints together. While the database is away, they wait. */
@Injectable()
export class OutcomeWriter {
  private readonly logger = new Logger('Deliveries');
  private readonly batcher = new Batcher<RecordedAttempt>((attempts) => this.writeAll(attempts), {
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
  async write(attempt: RecordedAttempt): Promise<void> {
    this.counter.inc({ outcome: attempt.ok ? 'delivered' : 'failed' });
    await this.batcher.add(attempt);
  }

  /** What the database does not take from now on is forgotten, and those attempts are made again. */
  @Drain()
  async giveUp(): Promise<void> {
    this.ending = true;
  }

  private async writeAll(attempts: readonly RecordedAttempt[]): Promise<void> {
    const failed = attempts.some(({ ok }) => !ok);
    const record = (): Promise<void> => this.record(attempts);
    // It rejects only once the process ends.
    await untilWritten(
      () => (failed ? this.database.transaction(record) : record()),
      (error) => this.mayWriteAgain(error),
    ).catch(() => undefined);
  }

  /** Until it succeeds: attempts whose outcome is lost would be made again. */
  private mayWriteAgain(error: unknown): boolean {
    this.logger.warn(`Outcomes of deliveries could not be written: ${String(error)}`);
    return !this.ending;
  }

  private async record(attempts: readonly RecordedAttempt[]): Promise<void> {
    const byEndpoint = Map.groupBy(attempts, ({ endpointId }) => endpointId);
    // In the order of their ids, against deadlocks between processes.
    const summaries = [...byEndpoint]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([id, own]) => summarise(id, own));
    const states = await this.outcomes.record(attempts, summaries);
    for (const { id, enabled, consecutiveFailures } of states) {
      const { reason } = summaries.find((summary) => summary.id === id)!;
      if (!enabled || (reason === null && consecutiveFailures < MOST_FAILURES)) continue;
      await this.disabling.disable(id, reason ?? tooManyFailures(byEndpoint.get(id)!.at(-1)!));
    }
  }
}
