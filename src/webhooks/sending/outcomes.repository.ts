import { Injectable } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { waitAfter } from '../backoff.js';
import type { RecordedAttempt } from './attempt.js';
import type { EndpointSummary } from './endpoint-summary.js';
import { type EndpointState, RECORD } from './outcomes.sql.js';

@Injectable()
export class OutcomesRepository {
  constructor(private readonly database: Database) {}

  /**
   * Writes attempts at any number of endpoints, with what becomes of their deliveries and endpoints, in one statement.
   * Written twice, they change nothing the second time but the counts of failures.
   */
  record(
    attempts: readonly RecordedAttempt[],
    summaries: readonly EndpointSummary[],
  ): Promise<EndpointState[]> {
    const statement = RECORD({
      deliveryIds: attempts.map(({ deliveryId }) => deliveryId),
      numbers: attempts.map(({ number }) => number),
      oks: attempts.map(({ ok }) => ok),
      statuses: attempts.map(({ status }) => status),
      errors: attempts.map(({ error }) => error),
      durations: attempts.map(({ durationMs }) => durationMs),
      responses: attempts.map(({ response }) => response),
      moments: attempts.map(({ at }) => at),
      urls: attempts.map(({ url }) => url),
      signatures: attempts.map(({ signature }) => signature),
      waits: attempts.map(({ number, retryAfterMs }) => waitAfter(number, retryAfterMs)),
      endpointIds: summaries.map(({ id }) => id),
      anyOks: summaries.map(({ anyOk }) => anyOk),
      failures: summaries.map(({ failures }) => failures),
      lastStatuses: summaries.map(({ lastStatus }) => lastStatus),
      lastMoments: summaries.map(({ lastAt }) => lastAt),
    });
    return this.database.query<EndpointState>(...statement);
  }
}
