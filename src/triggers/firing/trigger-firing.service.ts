import { Injectable, type OnModuleInit } from '@nestjs/common';

import { AutomationDisablingService, type RefusedAutomation } from '../../automations/index.js';
import { type DispatchedEvent, EventConsumers } from '../../core/outbox/event-consumers.js';
import { AutomatedRunsService } from '../../runs/index.js';
import { rendered } from '../matching/template.js';
import { TRIGGER } from '../trigger.kind.js';
import { type RunCause, triggerOrder } from '../trigger.orders.js';
import { authorProblem, authorViewOf } from './author-rights.js';
import { ChainLimitsService, MOST_RUNS } from './chain-limits.service.js';
import { MOST_HOPS, type Match, causeOf, causingRun, isOfTestRun, kindOf, matchesOf } from './matches.js';
import { TriggerFiringRepository } from './trigger-firing.repository.js';

interface CausedMatch extends Match {
  cause: RunCause;
}

/** The triggers that have to be disabled, by id. */
type ToDisable = Map<string, RefusedAutomation>;

/** Starts the runs of triggers whose events have happened: a handful of statements for a batch of events. */
@Injectable()
export class TriggerFiringService implements OnModuleInit {
  constructor(
    private readonly repository: TriggerFiringRepository,
    private readonly chains: ChainLimitsService,
    private readonly runs: AutomatedRunsService,
    private readonly disabling: AutomationDisablingService,
    private readonly consumers: EventConsumers,
  ) {}

  onModuleInit(): void {
    this.consumers.register('triggers', (events) => this.fire(events));
  }

  private async fire(events: readonly DispatchedEvent[]): Promise<void> {
    const matches = await this.newMatches(events);
    if (matches.length === 0) return;
    const toDisable: ToDisable = new Map();
    const visible = await this.dropInvisible(matches, toDisable);
    const caused = await this.findCauses(visible, toDisable);
    const started = await this.start(caused, toDisable);
    await this.repository.markFired([...started].filter((id) => !toDisable.has(id)));
    await this.disabling.disable(TRIGGER, [...toDisable.values()]);
  }

  /** Pairs of an event and a trigger that have not been fired yet. The triggers stay locked, as they were matched. */
  private async newMatches(events: readonly DispatchedEvent[]): Promise<Match[]> {
    const real = events
      .filter((event) => !isOfTestRun(event))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    const kinds = new Map(
      real.map(({ workspaceId, type }) => [kindOf(workspaceId, type), { workspaceId, type }]),
    );
    if (kinds.size === 0) return [];
    const candidates = matchesOf(real, await this.repository.listening([...kinds.values()]));
    if (candidates.length === 0) return [];
    const ids = new Set(candidates.map(({ trigger }) => trigger.id));
    const matches = matchesOf(real, await this.repository.lock([...ids]));
    const recorded = await this.repository.recordNew(
      matches.map(({ event, trigger }) => ({ eventId: event.id, triggerId: trigger.id })),
    );
    return matches.filter(({ event, trigger }) => recorded.has(`${event.id} ${trigger.id}`));
  }

  /** Drops matches that the trigger's author may no longer see. If the author has left, the trigger is disabled. */
  private async dropInvisible(matches: readonly Match[], toDisable: ToDisable): Promise<Match[]> {
    const views = matches.map(authorViewOf);
    const keys = views.map((view) => JSON.stringify(view));
    const distinct = new Map(views.map((view, index) => [keys[index]!, view]));
    const found = await this.repository.authorRights([...distinct.values()]);
    const rightsByKey = new Map([...distinct.keys()].map((key, index) => [key, found[index]!]));
    return matches.filter(({ trigger }, index) => {
      const rights = rightsByKey.get(keys[index]!)!;
      const reason = authorProblem(trigger, rights);
      if (reason !== null) toDisable.set(trigger.id, { id: trigger.id, reason });
      // A creator who has left sees nothing, but it is for the run's order to be refused and say so.
      return reason === null && (rights.visible || rights.role === null);
    });
  }

  /** Finds what causes each run. A chain that has become too long ends, and the trigger that would go on is disabled. */
  private async findCauses(matches: readonly Match[], toDisable: ToDisable): Promise<CausedMatch[]> {
    const runIds = new Set(matches.flatMap(({ event }) => causingRun(event) ?? []));
    const runs = await this.repository.causingRuns([...runIds]);
    return matches.flatMap(({ event, trigger }) => {
      const cause = causeOf(event, runs);
      if (cause.hops > MOST_HOPS) {
        const reason = `a chain of triggers stops after ${MOST_HOPS} runs, and this one would have gone on`;
        toDisable.set(trigger.id, { id: trigger.id, reason, causedByRunId: cause.runId });
      }
      return toDisable.has(trigger.id) ? [] : [{ event, trigger, cause }];
    });
  }

  /**
   * Starts the runs, and returns the triggers whose runs were ordered. Where a chain has no room for another run, the
   * trigger that asked for it is disabled and starts no further ones; those that it has ordered already are started.
   */
  private async start(matches: readonly CausedMatch[], toDisable: ToDisable): Promise<Set<string>> {
    const room = await this.chains.reserve(matches.map(({ cause }) => cause.chainEventId));
    const stopped = new Set<string>();
    const ordered = matches.flatMap(({ event, trigger, cause }) => {
      if (stopped.has(trigger.id)) return [];
      if (!room.use(cause.chainEventId)) {
        const reason = `triggers start at most ${MOST_RUNS} runs from one first event, and this would have been one more`;
        toDisable.set(trigger.id, { id: trigger.id, reason, causedByRunId: cause.runId });
        stopped.add(trigger.id);
        return [];
      }
      return [{ trigger, cause, order: triggerOrder(trigger, rendered(trigger.inputs, event.data), cause) }];
    });
    const byOrder = new Map(ordered.map((each) => [each.order.id, each]));
    for (const { id, reason } of await this.runs.start(ordered.map(({ order }) => order))) {
      const { trigger, cause } = byOrder.get(id)!;
      toDisable.set(trigger.id, { id: trigger.id, reason });
      room.add(cause.chainEventId);
    }
    await this.chains.giveBack(room);
    return new Set(ordered.map(({ trigger }) => trigger.id));
  }
}
