import { setImmediate as turn } from 'node:timers/promises';

import { Injectable, Logger } from '@nestjs/common';

import {
  AutomationDisablingService,
  EVENT_PLACEHOLDERS,
  type RefusedAutomation,
  Rendering,
} from '../../automations/index.js';
import { Database } from '../../core/database/index.js';
import { ChainRoom, EventChainsRepository } from '../../core/outbox/index.js';
import { Waker } from '../../core/work/index.js';
import {
  type AutomatedRunOrder,
  AutomatedRunsService,
  BACKLOG,
  MOST_HOPS,
  RunBacklog,
} from '../../runs/index.js';
import { TRIGGER } from '../trigger.kind.js';
import { type RunCause, triggerOrder } from '../trigger.orders.js';
import { authorProblem, authorViewOf } from './author-rights.js';
import { FiringClaimsRepository } from './firing-claims.repository.js';
import type { ClaimedFiring } from './firing-claims.sql.js';
import { FIRINGS } from './firing.topic.js';
import { type FiredEvent, type ListeningTrigger, causeOf, causingRun, fits } from './matches.js';
import { TriggerFiringRepository } from './trigger-firing.repository.js';

/** So many triggers fire in one transaction, and what they make of the event is no larger than this, or one run's. */
const PORTION = 25;
const PORTION_BYTES = 2 * 1024 * 1024;

/** A filter may have 16 KiB: with more of them, others would wait for their turn. */
const JUDGED_AT_ONCE = 50;

/** What was begun so often and did not come to an end is not begun again. */
const MOST_ATTEMPTS = 3;
const GIVEN_UP = `the service began ${MOST_ATTEMPTS} times to start its run by one event, and did not come to an end`;

/** A trigger, and what it makes of the event. */
interface Firing {
  trigger: ListeningTrigger;
  rendering: Rendering;
}

/** The triggers that have to be disabled, by id. */
type ToDisable = Map<string, RefusedAutomation>;

/** Starts the runs of the triggers that an event fits, some at a time: a handful of statements for each portion. */
@Injectable()
export class TriggerFiringService {
  private readonly logger = new Logger('Triggers');

  constructor(
    private readonly repository: TriggerFiringRepository,
    private readonly claims: FiringClaimsRepository,
    private readonly chains: EventChainsRepository,
    private readonly runs: AutomatedRunsService,
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
  fire(claim: ClaimedFiring): Promise<void> {
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

  /** No attempt was made. All that would fire for the workspace waits with it; whatever has waited for long is given up. */
  private async waitForRoom(
    claim: ClaimedFiring,
    event: FiredEvent,
    waiting: string[],
    ageSeconds: number,
  ): Promise<void> {
    const { retrySeconds, giveUpSeconds, reason } = BACKLOG;
    if (ageSeconds < giveUpSeconds) {
      await this.claims.goOn(claim, waiting, claim.attempts - 1);
      return this.claims.postponeAll(event.workspaceId, retrySeconds);
    }
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
    const visible = await this.dropInvisible(event, triggers, toDisable);
    const cause = await this.causeOf(event);
    const allowed = withoutTooLong(visible, cause, toDisable);
    const { started, next } = await this.start(event, allowed, cause, toDisable);
    await this.repository.markFired(started.filter((id) => !toDisable.has(id)));
    await this.disabling.disable(TRIGGER, [...toDisable.values()]);
    return next === null ? ids.length : ids.indexOf(next);
  }

  /** Drops what the trigger's author may no longer see. If the author has left, the trigger is disabled. */
  private async dropInvisible(
    event: FiredEvent,
    triggers: readonly ListeningTrigger[],
    toDisable: ToDisable,
  ): Promise<ListeningTrigger[]> {
    if (triggers.length === 0) return [];
    const rights = await this.repository.authorRights(
      triggers.map((trigger) => authorViewOf(event, trigger)),
    );
    return triggers.filter((trigger, index) => {
      const { visible, role } = rights[index]!;
      const reason = authorProblem(trigger, rights[index]!);
      if (reason !== null) toDisable.set(trigger.id, { id: trigger.id, reason });
      // A creator who has left sees nothing, but it is for the run's order to be refused and say so.
      return reason === null && (visible || role === null);
    });
  }

  private async causeOf(event: FiredEvent): Promise<RunCause> {
    const runId = causingRun(event);
    return causeOf(event, runId === null ? null : await this.runs.causingRun(event.workspaceId, runId));
  }

  /**
   * Starts the runs. Returns the triggers whose runs were ordered, and the next one where these were enough for a
   * transaction. Where the chain has no room for another run, the trigger that asked for it is disabled.
   */
  private async start(
    event: FiredEvent,
    triggers: readonly ListeningTrigger[],
    cause: RunCause,
    toDisable: ToDisable,
  ): Promise<{ started: string[]; next: string | null }> {
    if (triggers.length === 0) return { started: [], next: null };
    const room = new ChainRoom(await this.chains.lock(cause.chainEventId));
    const { firings, refused, next } = await portionOf(event, triggers, room);
    for (const { id, reason } of refused) toDisable.set(id, { id, reason, causedByRunId: cause.runId });
    const recorded = await this.repository.recordNew(
      event.id,
      firings.map(({ trigger }) => trigger.id),
    );
    /** The triggers by the order of their run. */
    const ordered = new Map<string, string>();
    const orders: AutomatedRunOrder[] = [];
    for (const { trigger, rendering } of firings.filter((firing) => recorded.has(firing.trigger.id))) {
      const order = triggerOrder(trigger, rendering.make(), cause);
      ordered.set(order.id, trigger.id);
      orders.push(order);
      await turn();
    }
    const { refused: neverAgain, bytes } = await this.runs.start(orders);
    for (const { id, reason } of neverAgain) {
      const triggerId = ordered.get(id)!;
      toDisable.set(triggerId, { id: triggerId, reason });
    }
    const runs = orders.length - neverAgain.length;
    if (runs > 0) await this.chains.add(cause.chainEventId, { runs, bytes });
    return { started: [...ordered.values()], next };
  }
}

/**
 * The first of the triggers, as far as what they make of the event is little enough for one transaction: those that the chain
 * has room for and those that it has none for. `next`: where to go on, or null.
 */
async function portionOf(
  event: FiredEvent,
  triggers: readonly ListeningTrigger[],
  room: ChainRoom,
): Promise<{ firings: Firing[]; refused: { id: string; reason: string }[]; next: string | null }> {
  const firings: Firing[] = [];
  const refused: { id: string; reason: string }[] = [];
  for (const trigger of triggers) {
    const rendering = new Rendering(trigger.inputs, event.data, EVENT_PLACEHOLDERS);
    const bytes = room.used.bytes + rendering.bytes;
    if (firings.length > 0 && bytes > PORTION_BYTES) return { firings, refused, next: trigger.id };
    const reason = room.take(rendering.bytes);
    if (reason === null) firings.push({ trigger, rendering });
    else refused.push({ id: trigger.id, reason });
    await turn();
  }
  return { firings, refused, next: null };
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
