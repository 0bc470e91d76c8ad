import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';

import { Loops } from '../work/index.js';
import { Metrics } from './metrics.js';

/** From a look that finds nothing to a sweep of what has expired, in seconds. */
const BUCKETS = [0.005, 0.05, 0.5, 5, 60];

/** Counts and times the passes of each loop. */
@Injectable()
export class LoopMetrics {
  constructor(loops: Loops, { registry }: Metrics) {
    const labelNames = ['loop'];
    const registers = [registry];
    const duration = new Histogram({
      name: 'gatehouse_loop_pass_duration_seconds',
      help: 'Time of one pass of a loop, failed ones included.',
      labelNames,
      buckets: BUCKETS,
      registers,
    });
    const failures = new Counter({
      name: 'gatehouse_loop_failures_total',
      help: 'Passes of a loop that failed and were made again.',
      labelNames,
      registers,
    });
    loops.onPass((loop, result) => {
      duration.observe({ loop }, result.durationMs / 1000);
      // A series that is there from the beginning shows its first failure as a rise.
      failures.inc({ loop }, 'error' in result ? 1 : 0);
    });
  }
}
