import { setImmediate as turn } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';

import { EVENT_PLACEHOLDERS, type RefusedAutomation, Rendering } from '../../automations/index.js';
import { ChainRoom, EventChainsRepository } from '../../core/outbox/index.js';
import { type AutomatedRunOrder, AutomatedRunsService } from '../../runs/index.js';
import { type RunCause, triggerOrder } from '../trigger.orders.js';
import { causeOf, causingRun, type FiredEvent, type ListeningTrigger } from './matches.js';
import { TriggerFiringRepository } from './trigger-firing.repository.js';

/** What triggers make of an event in one transaction is no larger than this, or one run's. */
const PORTION_BYTES = 2 * 1024 * 1024;

/** A trigger, and what it makes of the event. */
interface Firing {
  trigger: ListeningTrigger;
  rendering: Rendering;
}

/** The triggers that have to be disabled, by id. */
export type ToDisable = Map<string, RefusedAutomation>;

/** Starts the runs of the triggers that an event fires, as far as its chain has room for them. */
@Injectable()
export class TriggerRunsService {
  constructor(
    private readonly repository: TriggerFiringRepository,
    private readonly chains: EventChainsRepository,
    private readonly runs: AutomatedRunsService,
  ) {}

  async causeOf(event: FiredEvent): Promise<RunCause> {
    const runId = causingRun(event);
    return causeOf(event, runId === null ? null : await this.runs.causingRun(event.workspaceId, runId));
  }

  /**
   * Starts the runs. Returns the triggers whose runs were ordered, and the next one where these were enough for a
   * transaction. Where the chain has no room for another run, the trigger that asked for it is disabled.
   */
  async start(
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
