import { Injectable, Logger } from '@nestjs/common';

import { Causes } from '../core/causes/index.js';
import { EventChainsRepository } from '../core/outbox/index.js';
import { failureOf } from '../core/extension-calls/index.js';
import { inTime, TimeIsOver, untilAborted } from '../core/time-limit/index.js';
import { MOST_HOPS } from '../runs/index.js';
import { causeOf } from '../triggers/index.js';
import type { HandledEvent } from './event-handler.js';
import { EventHandlers } from './event-handlers.js';
import { EventHandlingMetrics } from './event-handling-metrics.js';
import { type ClaimedEvent, EventHandlingsRepository } from './event-handlings.repository.js';
import type { ClaimedHandling } from './event-handlings.sql.js';

const LONGEST_MS = 15_000;
/** Seconds until the next attempt, after the first, the second. */
const RETRIES = [10, 60];
const MOST_ATTEMPTS = RETRIES.length + 1;
/** So often handlers are called for what handlers have told, from one first event. */
const MOST_CALLS = 200;
/** Code that hangs keeps its place for as long: by then the database has ended a transaction that it left open. */
const HANGS_MS = 60_000;

/** Calls a handler for an event, and notes how it ended. No transaction is held meanwhile. */
@Injectable()
export class EventHandlingService {
  private readonly logger = new Logger('Handlers');

  constructor(
    private readonly handlers: EventHandlers,
    private readonly handlings: EventHandlingsRepository,
    private readonly chains: EventChainsRepository,
    private readonly causes: Causes,
    private readonly metrics: EventHandlingMetrics,
  ) {}

  /** @param stop aborted where it is another process's by now, or this one stops */
  async handle(claim: ClaimedHandling, stop: AbortSignal): Promise<void> {
    const event = await this.handlings.event(claim);
    if (!event) return this.handlings.finish(claim);
    const { runHops: hops, runChainEventId: chainEventId, byAgent } = event;
    const cause = causeOf(event, hops === null ? null : { hops, chainEventId, byAgent: byAgent! });
    const problem = await this.problemOf(claim, cause);
    if (problem !== null) return this.setAside(claim, problem);
    const { runId } = cause;
    const causing = {
      workspaceId: event.workspaceId,
      ...cause,
      runId: hops === null ? null : runId,
      told: 0,
    };
    let ended: Promise<unknown> = Promise.resolve();
    try {
      await inTime({ ms: LONGEST_MS, stop }, (signal) => {
        const handler = this.handlers.find(claim.handler);
        const handled = this.causes.withinEvent(causing, async () =>
          handler.handle(handledEvent(event), { signal }),
        );
        ended = handled.catch(() => undefined);
        return handled;
      });
    } catch (error) {
      await (stop.aborted
        ? this.handlings.postpone(claim, 0, claim.attempts - 1)
        : this.failed(claim, error));
      if (error instanceof TimeIsOver) await endOf(ended, stop);
      return;
    }
    await this.handlings.finish(claim);
    this.metrics.ended(claim.handler, 'handled');
  }

  /** Why it is not to be tried, or null. */
  private async problemOf(
    { eventId, attempts }: ClaimedHandling,
    { hops, chainEventId }: { hops: number; chainEventId: string },
  ): Promise<string | null> {
    if (attempts > MOST_ATTEMPTS) return `${MOST_ATTEMPTS} attempts came to no end.`;
    if (hops > MOST_HOPS) {
      return `a chain of triggers and handlers stops after ${MOST_HOPS}, and this one would have gone on.`;
    }
    if (chainEventId === eventId || (await this.chains.takeCall(chainEventId, MOST_CALLS))) return null;
    return `handlers are called at most ${MOST_CALLS} times for what they tell from one first event.`;
  }

  private async failed(claim: ClaimedHandling, error: unknown): Promise<void> {
    const { handler, eventId, attempts } = claim;
    const seconds = RETRIES[attempts - 1];
    if (seconds === undefined) return this.setAside(claim, failureOf(error));
    const tries = `attempt ${attempts} of ${MOST_ATTEMPTS}, the next in ${seconds} s`;
    this.logger.warn(`The handler ${handler} failed at the event ${eventId} (${tries}): ${failureOf(error)}`);
    this.metrics.ended(handler, 'failed');
    await this.handlings.postpone(claim, seconds);
  }

  private async setAside(claim: ClaimedHandling, why: string): Promise<void> {
    if (!(await this.handlings.setAside(claim))) return;
    const { handler, eventId } = claim;
    this.logger.error(`The event ${eventId} is set aside for the handler ${handler}: ${why}`);
    this.metrics.ended(handler, 'set_aside');
  }
}

/** Of code that goes on after its time: at the latest with the process, or in a while. */
async function endOf(work: Promise<unknown>, stop: AbortSignal): Promise<void> {
  const late = AbortSignal.any([stop, AbortSignal.timeout(HANGS_MS)]);
  await Promise.race([work, untilAborted(late).catch(() => undefined)]);
}

function handledEvent(event: ClaimedEvent): HandledEvent {
  const { id, type, createdAt, workspaceId, slug, name, environmentId, environment, data } = event;
  return {
    id,
    type,
    createdAt: createdAt.toISOString(),
    workspace: { id: workspaceId, slug, name },
    environment: environmentId === null ? null : { id: environmentId, name: environment ?? '' },
    data,
  };
}
