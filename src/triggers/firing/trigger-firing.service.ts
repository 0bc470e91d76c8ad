import { Injectable, Logger } from '@nestjs/common';

import { AutomationDisablingService } from '../../automations/index.js';
import { Database } from '../../core/database/index.js';
import { ChecksBusy } from '../../core/schema/index.js';
import { Waker } from '../../core/work/index.js';
import { BACKLOG, MOST_HOPS, RunBacklog } from '../../runs/index.js';
import { TRIGGER } from '../trigger.kind.js';
import type { RunCause } from '../trigger.orders.js';
import { FiringClaimsRepository } from './firing-claims.repository.js';
import type { ClaimedFiring } from './firing-claims.sql.js';
import { FIRINGS } from './firing.topic.js';
import { causingRun, type FiredEvent, fits, type ListeningTrigger } from './matches.js';
import { TriggerAuthorsService } from './trigger-authors.service.js';
import { TriggerFiringRepository } from './trigger-firing.repository.js';
import { type ToDisable, TriggerRunsService } from './trigger-runs.service.js';

/** So many triggers fire in one transaction. */
const PORTION = 25;

/** Until inputs that found the checks busy are checked again. */
const BUSY_SECONDS = 10;

/** A filter may have 16 KiB: with more of them, others would wait for their turn. */
const JUDGED_AT_ONCE = 50;

/** What was begun so often and did not come to an end is not begun again. */
const MOST_ATTEMPTS = 3;
const GIVEN_UP = `the service began ${MOST_ATTEMPTS} times to start its run by one event, and did not come to an end`;

/** Starts the runs of the triggers that an event fits, some at a time: a handful of statements for each portion. */
@Injectable()
export class TriggerFiringService {
  private readonly logger = new Logger('Triggers');

  constructor(
    private readonly repository: TriggerFiringRepository,
    private readonly claims: FiringClaimsRepository,
    private readonly authors: TriggerAuthorsService,
    private readonly runs: TriggerRunsService,
    private readonly backlog: RunBacklog,
    private readonly disabling: AutomationDisablingService,
    private readonly database: Database,
    private readonly waker: Waker,
  ) {}

  /**
   * The next portion of an event's triggers. After an attempt that did not come to an end they fire one by one. That
   * shows which one is in the way of the others; it is disabled after the third. Where even that came to no end, the
   * event fires nothing further.
   */
  async fire(claim: ClaimedFiring): Promise<void> {
    try {
      await this.fireNext(claim);
    } catch (error) {
      if (!(error instanceof ChecksBusy)) throw error;
      await this.waitForChecks(claim);
    }
  }

  private fireNext(claim: ClaimedFiring): Promise<void> {
    return this.database.transaction(async () => {
      const held = await this.claims.hold(claim);
      if (!held || this.isHopeless(claim)) return this.claims.finish(claim);
      const { triggerIds, ageSeconds, ...event } = held;
      const waiting = triggerIds ?? (await this.listenersOf(event));
      if (waiting.length > 0 && (await this.backlog.full([event.workspaceId])).size > 0) {
        return this.waitForRoom(claim, event, waiting, ageSeconds);
      }
      const singly = claim.attempts > 1;
      const count =
        claim.attempts > MOST_ATTEMPTS
          ? await this.giveUp(event, waiting[0])
          : await this.firePortion(event, waiting.slice(0, singly ? 1 : PORTION));
      const left = waiting.slice(count);
      if (left.length === 0) return this.claims.finish(claim);
      await this.claims.goOn(claim, left, singly ? 1 : 0);
      this.waker.wake(FIRINGS);
    });
  }

  /** No attempt was made. From now on they fire one by one, so that none waits for the checks of another. */
  private waitForChecks(claim: ClaimedFiring): Promise<void> {
    return this.database.transaction(async () => {
      const held = await this.claims.hold(claim);
      if (!held) return;
      const { triggerIds, ageSeconds, ...event } = held;
      const waiting = triggerIds ?? (await this.listenersOf(event));
      if (ageSeconds >= BACKLOG.giveUpSeconds) return this.tire(claim, event, waiting, BACKLOG.unchecked);
      await this.claims.goOn(claim, waiting, 1);
      await this.claims.postpone(claim, BUSY_SECONDS);
    });
  }

  /** No attempt was made. All that would fire for the workspace waits with it; whatever has waited for long is given up. */
  private async waitForRoom(
    claim: ClaimedFiring,
    event: FiredEvent,
    waiting: string[],
    ageSeconds: number,
  ): Promise<void> {
    const { retrySeconds, giveUpSeconds, reason } = BACKLOG;
    if (ageSeconds >= giveUpSeconds) return this.tire(claim, event, waiting, reason);
    await this.claims.goOn(claim, waiting, claim.attempts - 1);
    return this.claims.postponeAll(event.workspaceId, retrySeconds);
  }

  /** Disables what has waited for too long. */
  private async tire(
    claim: ClaimedFiring,
    event: FiredEvent,
    waiting: readonly string[],
    reason: string,
  ): Promise<void> {
    const causedByRunId = causingRun(event);
    await this.disabling.disable(
      TRIGGER,
      waiting.map((id) => ({ id, reason, causedByRunId })),
    );
    await this.claims.finish(claim);
  }

  private isHopeless({ id, attempts }: ClaimedFiring): boolean {
    const hopeless = attempts > MOST_ATTEMPTS + 1;
    if (hopeless)
      this.logger.error(
        `The event ${id} fires no trigger any more: ${attempts - 1} attempts came to no end.`,
      );
    return hopeless;
  }

  private async listenersOf(event: FiredEvent): Promise<string[]> {
    const ids: string[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const listening = await this.repository.listening(event, after, JUDGED_AT_ONCE);
      ids.push(...listening.filter((trigger) => fits(event, trigger)).map(({ id }) => id));
      after = listening[JUDGED_AT_ONCE - 1]?.id;
    }
    return ids;
  }

  private async giveUp(event: FiredEvent, id: string | undefined): Promise<number> {
    if (id === undefined) return 0;
    this.logger.error(`The trigger ${id} is disabled: for the event ${event.id}, ${GIVEN_UP}.`);
    await this.disabling.disable(TRIGGER, [{ id, reason: GIVEN_UP, causedByRunId: causingRun(event) }]);
    return 1;
  }

  /** Returns how many of the triggers, from the first one on, are done with. */
  private async firePortion(event: FiredEvent, ids: readonly string[]): Promise<number> {
    const toDisable: ToDisable = new Map();
    const triggers = (await this.repository.lock(ids)).filter((trigger) => fits(event, trigger));
    const { seeing, refused } = await this.authors.judge(event, triggers);
    for (const one of refused) toDisable.set(one.id, one);
    const cause = await this.runs.causeOf(event);
    const allowed = withoutTooLong(seeing, cause, toDisable);
    const { started, next } = await this.runs.start(event, allowed, cause, toDisable);
    await this.repository.markFired(started.filter((id) => !toDisable.has(id)));
    await this.disabling.disable(TRIGGER, [...toDisable.values()]);
    return next === null ? ids.length : ids.indexOf(next);
  }
}

/** None where the chain has become too long: it ends, and the triggers that would go on are disabled. */
function withoutTooLong(
  triggers: readonly ListeningTrigger[],
  cause: RunCause,
  toDisable: ToDisable,
): readonly ListeningTrigger[] {
  if (cause.hops <= MOST_HOPS) return triggers;
  const reason = `a chain of triggers stops after ${MOST_HOPS} runs, and this one would have gone on`;
  for (const { id } of triggers) toDisable.set(id, { id, reason, causedByRunId: cause.runId });
  return [];
}
