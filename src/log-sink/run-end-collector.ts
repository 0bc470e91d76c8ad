import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import { EventConsumers } from '../core/outbox/index.js';
import { LogSinkRepository } from './log-sink.repository.js';

const ENDS = new Set(['run.succeeded', 'run.failed', 'run.cancelled']);

/** Has the ends of runs sent, in the transaction that dispatches their events: each exactly once. */
@Injectable()
export class RunEndCollector implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly entries: LogSinkRepository,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    if (this.settings.logSink === null) return;
    this.consumers.register('log-sink', async (events) => {
      const ids = events.filter(({ type }) => ENDS.has(type)).map(({ id }) => id);
      if (ids.length > 0) await this.entries.add(ids);
    });
  }
}
