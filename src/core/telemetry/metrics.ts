import { Injectable } from '@nestjs/common';
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';

import { Settings, VERSION } from '../config/index.js';

/** What `/metrics` shows. A module adds its own by naming this registry. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  constructor({ role }: Settings) {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: 20 });
    new Gauge({
      name: 'gatehouse_info',
      help: 'Always 1; its labels say what this process is.',
      labelNames: ['version', 'role'],
      registers: [this.registry],
    }).set({ version: VERSION, role }, 1);
  }

  /**
   * Adds a figure that is asked for whenever somebody looks.
   *
   * @example
   * metrics.gauge('gatehouse_runs_queued', 'Runs that wait.', () => queued.value());
   */
  gauge(name: string, help: string, value: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        this.set(await value());
      },
    });
  }
}
