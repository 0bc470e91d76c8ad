import { Injectable, type OnModuleInit } from '@nestjs/common';

import { type DispatchedEvent, EventConsumers } from '../../core/outbox/index.js';
import { Waker } from '../../core/work/index.js';
import { RUN_WORDS } from './run-words.topics.js';
import { RunWordsRepository } from './run-words.repository.js';

/** After each of these a run says something else than before. */
const TYPES: ReadonlySet<string> = new Set(
  ['started', 'awaiting_approval', 'debounced', 'succeeded', 'failed', 'cancelled'].map(
    (name) => `run.${name}`,
  ),
);

/** Has the words of runs read, beside their way: it only notes which, in the transaction that dispatches their events. */
@Injectable()
export class UnreadRunsCollector implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly words: RunWordsRepository,
    private readonly waker: Waker,
  ) {}

  onModuleInit(): void {
    this.consumers.register('run-words', (events) => this.note(events));
  }

  private async note(events: readonly DispatchedEvent[]): Promise<void> {
    const ids = events.flatMap(({ type, data }) => (TYPES.has(type) ? [String(data['runId'])] : []));
    if (ids.length === 0) return;
    await this.words.note([...new Set(ids)]);
    this.waker.wake(RUN_WORDS);
  }
}
