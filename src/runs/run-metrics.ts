import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';

import type { HostUsage } from '../../libs/egress/index.js';
import type { TemplateState } from '../../libs/sandbox/index.js';
import { Metrics, Sampled } from '../core/telemetry/index.js';
import type { RunOutcome } from './run.status.js';
import { RunsRepository } from './runs.repository.js';

/** From a worker that has room to a queue of an hour, in seconds. */
const WAIT_BUCKETS = [0.01, 0.05, 0.25, 1, 5, 30, 120, 600, 3600];
/** From a trivial script to the longest that may be declared, in seconds. */
const DURATION_BUCKETS = [0.05, 0.25, 1, 5, 30, 120, 600, 3600];

/** What the operator wants to know of runs: how many wait, for how long, how they end, and what the gate let through. */
@Injectable()
export class RunMetrics {
  private readonly waited: Histogram;
  private readonly ends: Counter<'outcome'>;
  private readonly duration: Histogram<'outcome'>;
  private readonly requests: Counter<'outcome'>;
  private readonly bytes: Counter<'direction'>;

  constructor(
    private readonly metrics: Metrics,
    runs: RunsRepository,
  ) {
    const registers = [metrics.registry];
    const queued = new Sampled(() => runs.countQueued());
    metrics.gauge(
      'gatehouse_runs_queued',
      'Runs of the whole service that wait for a worker; every process tells the same.',
      () => queued.value(),
    );
    this.waited = new Histogram({
      name: 'gatehouse_run_wait_seconds',
      help: 'Time from the request for a run until this worker took it, without those that waited for an approval.',
      buckets: WAIT_BUCKETS,
      registers,
    });
    this.ends = new Counter({
      name: 'gatehouse_runs_ended_total',
      help: 'Runs whose end this process wrote, by how they ended.',
      labelNames: ['outcome'],
      registers,
    });
    // Series that are there from the beginning show their first run as a rise.
    for (const outcome of ['succeeded', 'failed', 'cancelled']) this.ends.inc({ outcome }, 0);
    this.duration = new Histogram({
      name: 'gatehouse_run_duration_seconds',
      help: 'Time that the command of a run took, by how it ended.',
      labelNames: ['outcome'],
      buckets: DURATION_BUCKETS,
      registers,
    });
    this.requests = new Counter({
      name: 'gatehouse_gate_requests_total',
      help: 'Requests of runs that the gate let through or refused, counted when the run ends.',
      labelNames: ['outcome'],
      registers,
    });
    this.bytes = new Counter({
      name: 'gatehouse_gate_bytes_total',
      help: 'Bytes that runs received and sent through the gate, counted when the run ends.',
      labelNames: ['direction'],
      registers,
    });
  }

  /** How many runs this worker may have at a time, and has. */
  places(most: number, taken: () => number): void {
    this.metrics.gauge('gatehouse_run_slots', 'Runs that this worker may have at a time.', () => most);
    const help = 'Runs that this worker has taken and not finished.';
    this.metrics.gauge('gatehouse_runs_executing', help, taken);
  }

  /** How the interpreters fare that are forked for the runs of a version; null: there are none. */
  templates(state: () => TemplateState | null): void {
    const registers = [this.metrics.registry];
    const count = (): number => state()?.templates ?? 0;
    this.metrics.gauge('gatehouse_templates', 'Interpreters that this worker forks for runs.', count);
    const bytes = (): number => state()?.bytes ?? 0;
    this.metrics.gauge('gatehouse_template_bytes', 'Memory that they have for themselves.', bytes);
    const counter = (name: string, help: string, value: (state: TemplateState) => number): void => {
      new Counter({
        name,
        help,
        registers,
        collect() {
          const now = state();
          this.reset();
          this.inc(now ? value(now) : 0);
        },
      });
    };
    counter('gatehouse_templates_made_total', 'How many this worker has made.', (now) => now.made);
    counter(
      'gatehouse_templates_refused_total',
      'How many could not be had: what a script imports cannot be imported before a run.',
      (now) => now.refused,
    );
    counter('gatehouse_runs_forked_total', 'Runs that were forked from one.', (now) => now.forked);
  }

  /** How the processes fare that stay for further runs; null: none does. */
  kept(state: () => TemplateState | null): void {
    const count = (): number => state()?.templates ?? 0;
    this.metrics.gauge('gatehouse_kept_processes', 'Processes that stay for further runs.', count);
    const bytes = (): number => state()?.bytes ?? 0;
    this.metrics.gauge('gatehouse_kept_process_bytes', 'Memory that they have.', bytes);
  }

  /** null: it waited for an approval as well. */
  taken(waitedSeconds: number | null): void {
    if (waitedSeconds !== null) this.waited.observe(Math.max(0, waitedSeconds));
  }

  /** `durationMs` is null where the command never began. */
  ended(outcome: RunOutcome, durationMs: number | null, network: readonly HostUsage[]): void {
    this.ends.inc({ outcome });
    if (durationMs !== null) this.duration.observe({ outcome }, durationMs / 1000);
    for (const { requests, denied, bytesIn, bytesOut } of network) {
      this.requests.inc({ outcome: 'passed' }, requests);
      this.requests.inc({ outcome: 'refused' }, denied);
      this.bytes.inc({ direction: 'in' }, bytesIn);
      this.bytes.inc({ direction: 'out' }, bytesOut);
    }
  }
}
