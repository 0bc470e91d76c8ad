import { Injectable } from '@nestjs/common';
import { Registry, collectDefaultMetrics } from 'prom-client';

/**
 * What `/metrics` shows. A module adds its own by naming this registry.
 *
 * @example
 * const queued = new Gauge({ name: 'gatehouse_runs_queued', help: 'Runs that wait.', registers: [metrics.registry] });
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: 20 });
  }
}
