import { Injectable, type OnModuleInit } from '@nestjs/common';

import { type DispatchedEvent, EventConsumers } from '../../core/outbox/index.js';
import { Waker } from '../../core/work/index.js';
import { ErrorSightingsRepository } from './error-sightings.repository.js';

/** Wakes whoever counts failures. */
export const ERROR_SIGHTINGS = 'error-sightings';

/** Notes each run that failed. Nothing is decided here: it is part of what dispatches all events. */
@Injectable()
export class ErrorSightingsService implements OnModuleInit {
  constructor(
    private readonly consumers: EventConsumers,
    private readonly sightings: ErrorSightingsRepository,
    private readonly waker: Waker,
  ) {}

  onModuleInit(): void {
    this.consumers.register('errors', (events) => this.note(events));
  }

  private async note(events: readonly DispatchedEvent[]): Promise<void> {
    const failed = events.filter(isOfErrors);
    if (failed.length === 0) return;
    await this.sightings.note(
      failed.map(({ id, workspaceId, data, createdAt }) => {
        return { workspaceId, eventId: id, runId: data.runId, at: createdAt };
      }),
    );
    this.waker.wake(ERROR_SIGHTINGS);
  }
}

type Failure = DispatchedEvent & { data: { runId: string } };

function isOfErrors(event: DispatchedEvent): event is Failure {
  const { type, data } = event;
  return type === 'run.failed' && data.test !== true && data.trial !== true && typeof data.runId === 'string';
}
