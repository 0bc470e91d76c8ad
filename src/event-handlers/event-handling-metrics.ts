import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';

import { Metrics, Sampled } from '../core/telemetry/index.js';
import { EventHandlers } from './event-handlers.js';
import { EventHandlingsRepository } from './event-handlings.repository.js';

const OUTCOMES = ['handled', 'failed', 'set_aside'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** How handlers do: what they come to here, how far behind they are, and what was set aside for them. */
@Injectable()
export class EventHandlingMetrics implements OnModuleInit, OnApplicationBootstrap {
  private readonly calls: Counter;

  constructor(
    private readonly handlers: EventHandlers,
    private readonly handlings: EventHandlingsRepository,
    private readonly metrics: Metrics,
  ) {
    this.calls = new Counter({
      name: 'gatehouse_event_handlings_total',
      help: 'What attempts of handlers of extensions came to at events.',
      labelNames: ['handler', 'outcome'],
      registers: [metrics.registry],
    });
  }

  onModuleInit(): void {
    this.gauge(
      'gatehouse_event_handlings_set_aside',
      'Events that a handler is not tried with any more; every process tells the same.',
      (handler) => this.handlings.countSetAside(handler),
    );
    this.gauge(
      'gatehouse_event_handlings_lag_seconds',
      'How long the oldest event has waited for a handler; every process tells the same.',
      (handler) => this.handlings.lag(handler),
    );
  }

  /** A series that is there from the beginning shows its first failure as a rise. */
  onApplicationBootstrap(): void {
    for (const handler of this.handlers.names()) {
      for (const outcome of OUTCOMES) this.calls.inc({ handler, outcome }, 0);
    }
  }

  ended(handler: string, outcome: Outcome): void {
    this.calls.inc({ handler, outcome });
  }

  /** Of each handler, asked for once there are any. */
  private gauge(name: string, help: string, ask: (handler: string) => Promise<number>): void {
    const samples = new Map<string, Sampled>();
    const { handlers } = this;
    new Gauge({
      name,
      help,
      labelNames: ['handler'],
      registers: [this.metrics.registry],
      async collect() {
        for (const handler of handlers.names()) {
          const sample = samples.get(handler) ?? new Sampled(() => ask(handler));
          samples.set(handler, sample);
          this.set({ handler }, await sample.value());
        }
      },
    });
  }
}
