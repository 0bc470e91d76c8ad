import { Injectable, type OnModuleInit } from '@nestjs/common';

import { type DispatchedEvent, EventConsumers } from '../../core/outbox/index.js';
import { RunWordsRepository } from './run-words.repository.js';

/** After each of these a run says something else than before. */
const TYPES: ReadonlySet<string> = new Set(
  ['started', 'awaiting_approval', 'debounced', 'succeeded', 'failed', 'cancelled'].map((name) => `run.${name}`),
);

/** Has the words of runs read, beside their way: it only notes which, in the transaction that dispatches their events. */
@Injectable()
export class UnreadRunsCollector implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly words: RunWordsRepository,
  ) {}

  onModuleInit(): void {
    this.consumers.register('run-words', (events) => this.note(events));
  }

  private async note(events: readonly DispatchedEvent[]): Promise<void> {
    const noted = events.flatMap(({ id, type, data }) =>
      TYPES.has(type) ? [{ eventId: id, runId: String(data['runId']) }] : [],
    );
    if (noted.length > 0) await this.words.note(noted);
  }
}
