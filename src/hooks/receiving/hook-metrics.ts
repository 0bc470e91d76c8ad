import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';

import { Metrics } from '../../core/telemetry/index.js';
import { VERDICTS, type ReceiptVerdict } from '../hook-receipt.entity.js';

/** `unknown`: of no hook that is switched on. `limited` and `unavailable` may come again. */
type RequestOutcome = ReceiptVerdict | 'unknown' | 'limited' | 'unavailable';

const OUTCOMES: readonly RequestOutcome[] = [...VERDICTS, 'unknown', 'limited', 'unavailable'];

@Injectable()
export class HookMetrics {
  private readonly requests: Counter<'outcome'>;

  constructor({ registry }: Metrics) {
    this.requests = new Counter({
      name: 'gatehouse_hook_requests_total',
      help: 'Requests to hooks, by what became of them.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    // Series that are there from the beginning show their first request as a rise.
    for (const outcome of OUTCOMES) this.requests.inc({ outcome }, 0);
  }

  count(outcome: RequestOutcome): void {
    this.requests.inc({ outcome });
  }
}
