import { Injectable } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import { Metrics, Sampled } from '../core/telemetry/index.js';
import { LogSinkRepository } from './log-sink.repository.js';

/** How far the receiver is behind, where there is one. */
@Injectable()
export class LogSinkMetrics {
  constructor(entries: LogSinkRepository, { logSink }: Settings, metrics: Metrics) {
    if (logSink === null) return;
    const lag = new Sampled(() => entries.lag());
    metrics.gauge(
      'gatehouse_log_sink_lag_seconds',
      'How long the oldest entry for the log sink has waited to be taken; every process tells the same.',
      () => lag.value(),
    );
  }
}
