import { Injectable, type OnModuleInit } from '@nestjs/common';

import { TRIGGER } from '../../automations/automation.kinds.js';
import { AutomationSwitch, type SwitchOff } from '../../automations/automation-switch.js';
import { roleReaches } from '../../core/access/roles.js';
import { type DispatchedEvent, EventConsumers } from '../../core/outbox/event-consumers.js';
import { AutomatedRunsService } from '../../runs/index.js';
import { leastRoleFor, scriptIn } from '../event-audience.js';
import { rendered } from '../matching/template.js';
import { type RunCause, triggerOrder } from '../trigger.orders.js';
import { MOST_HOPS, type Match, causeOf, causingRun, isOfTestRun, kindOf, matchesOf } from './matches.js';
import { MOST_RUNS, TriggerChains } from './trigger-chains.js';
import { type Heard, type Hearing, TriggerFiringRepository } from './trigger-firing.repository.js';

/** Turns events into runs, a batch of them by a handful of statements. */
@Injectable()
export class TriggerFiring implements OnModuleInit {
  constructor(
    private readonly repository: TriggerFiringRepository,
    private readonly chains: TriggerChains,
    private readonly runs: AutomatedRunsService,
    private readonly automations: AutomationSwitch,
    private readonly consumers: EventConsumers,
  ) {}

  onModuleInit(): void {
    this.consumers.register('triggers', (events) => this.fire(events));
  }

  private async fire(events: readonly DispatchedEvent[]): Promise<void> {
    const matches = await this.newMatches(events);
    if (matches.length === 0) return;
    const off = new Map<string, SwitchOff>();
    const heard = await this.heard(matches, off);
    const started = await this.start(await this.caused(heard, off), off);
    await this.repository.markFired([...started].filter((id) => !off.has(id)));
    await this.automations.switchOff(TRIGGER, [...off.values()]);
  }

  /** What no process has fired yet, judged by the triggers as they are under their locks. */
  private async newMatches(events: readonly DispatchedEvent[]): Promise<Match[]> {
    const real = events
      .filter((event) => !isOfTestRun(event))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    const kinds = new Map(
      real.map(({ workspaceId, type }) => [kindOf(workspaceId, type), { workspaceId, type }]),
    );
    if (kinds.size === 0) return [];
    const listening = matchesOf(real, await this.repository.listening([...kinds.values()]));
    if (listening.length === 0) return [];
    const ids = new Set(listening.map(({ trigger }) => trigger.id));
    const matches = matchesOf(real, await this.repository.lock([...ids]));
    const fresh = await this.repository.recordNew(
      matches.map(({ event, trigger }) => ({ eventId: event.id, triggerId: trigger.id })),
    );
    return matches.filter(({ event, trigger }) => fresh.has(`${event.id} ${trigger.id}`));
  }

  /** Without those of which whoever wrote the trigger may not hear; that one has left switches the trigger off. */
  private async heard(matches: readonly Match[], off: Map<string, SwitchOff>): Promise<Match[]> {
    const keyed = matches.map((match) => ({ match, hearing: hearingOf(match) }));
    const hearings = new Map(keyed.map(({ hearing }) => [keyOf(hearing), hearing]));
    const answers = await this.repository.hearings([...hearings.values()]);
    const byKey = new Map([...hearings.keys()].map((key, index) => [key, answers[index]!]));
    return keyed.flatMap(({ match, hearing }) => {
      const answer = byKey.get(keyOf(hearing))!;
      const problem = deafness(match, answer);
      if (problem !== null) off.set(match.trigger.id, { id: match.trigger.id, reason: problem });
      // A creator who has left sees nothing: the order of the run is refused for it, and says so.
      return problem === null && (answer.visible || answer.role === null) ? [match] : [];
    });
  }

  /** What each is caused by. A chain that has become too long ends with the trigger that would have gone on. */
  private async caused(matches: readonly Match[], off: Map<string, SwitchOff>): Promise<CausedMatch[]> {
    const behind = matches.flatMap(({ event }) => causingRun(event) ?? []);
    const runs = behind.length === 0 ? new Map() : await this.repository.runsBehind([...new Set(behind)]);
    return matches.flatMap(({ event, trigger }) => {
      const cause = causeOf(event, runs);
      if (cause.hops > MOST_HOPS) {
        const reason = `a chain of triggers stops after ${MOST_HOPS} runs, and this one would have gone on`;
        off.set(trigger.id, { id: trigger.id, reason, causedByRunId: cause.runId });
      }
      return off.has(trigger.id) ? [] : [{ event, trigger, cause }];
    });
  }

  /** Returns the triggers of the runs. One that a chain has no room for is switched off, and what it had yet to start stays. */
  private async start(matches: readonly CausedMatch[], off: Map<string, SwitchOff>): Promise<Set<string>> {
    const room = await this.chains.reserve(matches.map(({ cause }) => cause.chainEventId));
    const stopped = new Set<string>();
    const orders = matches.flatMap(({ event, trigger, cause }) => {
      if (stopped.has(trigger.id)) return [];
      if (!room.use(cause.chainEventId)) {
        const reason = `triggers start at most ${MOST_RUNS} runs from one first event, and this would have been one more`;
        off.set(trigger.id, { id: trigger.id, reason, causedByRunId: cause.runId });
        stopped.add(trigger.id);
        return [];
      }
      return [{ trigger, cause, order: triggerOrder(trigger, rendered(trigger.inputs, event.data), cause) }];
    });
    const byOrder = new Map(orders.map(({ order, ...ordered }) => [order.id, ordered]));
    for (const { id, reason } of await this.runs.start(orders.map(({ order }) => order))) {
      const { trigger, cause } = byOrder.get(id)!;
      off.set(trigger.id, { id: trigger.id, reason });
      room.add(cause.chainEventId);
    }
    await this.chains.giveBack(room);
    return new Set(orders.map(({ trigger }) => trigger.id));
  }
}

interface CausedMatch extends Match {
  cause: RunCause;
}

function hearingOf({ event, trigger }: Match): Hearing {
  const { workspaceId, authorUserId: userId } = trigger;
  return { workspaceId, userId, scriptId: scriptIn(event.data) };
}

function keyOf({ workspaceId, userId, scriptId }: Hearing): string {
  return `${workspaceId} ${userId} ${scriptId}`;
}

/** Why whoever says what the trigger takes from events may not say so any more, or null. */
function deafness({ trigger }: Match, { role }: Heard): string | null {
  if (role === null && trigger.authorUserId === trigger.createdByUserId) return null;
  if (role === null) return 'who last changed its filter or inputs is not a member of the workspace any more';
  const least = leastRoleFor(trigger.eventType);
  return roleReaches(role, least)
    ? null
    : `who last changed its filter or inputs is ${role} now, and events of the type ${trigger.eventType} are for ${least}s`;
}
