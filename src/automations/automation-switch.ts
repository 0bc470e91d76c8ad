import { Injectable, type OnModuleInit } from '@nestjs/common';

import { AccessLosses } from '../core/access/access-losses.js';
import { Conflict } from '../core/errors/problems.js';
import { type DispatchedEvent, EventConsumers } from '../core/outbox/event-consumers.js';
import { Outbox } from '../core/outbox/outbox.js';
import { AutomatedRunsService } from '../runs/index.js';
import { AUTOMATION_KINDS, type Automation, type AutomationKind, trialOrder } from './automation.kinds.js';
import { AutomationSwitchRepository } from './automation-switch.repository.js';
import { type LostNeeds, NOTHING_LOST, lostNeeds } from './lost-needs.js';

export interface SwitchOff {
  id: string;
  reason: string;
  /** The run at the end of whose chain it is. */
  causedByRunId?: string | null;
}

/**
 * Switches schedules and triggers off whose runs would be refused, and tells why: as soon as a script is archived,
 * unpublished or kept for teams, an environment is closed to agents, or somebody leaves the workspace or a team. What else
 * there may be is found out when one is due or would fire.
 */
@Injectable()
export class AutomationSwitch implements OnModuleInit {
  constructor(
    private readonly repository: AutomationSwitchRepository,
    private readonly runs: AutomatedRunsService,
    private readonly outbox: Outbox,
    private readonly consumers: EventConsumers,
    private readonly losses: AccessLosses,
  ) {}

  onModuleInit(): void {
    this.consumers.register('automations', (events) => this.consume(events));
    this.losses.register((loss) => this.switchOffAllAffected(loss));
  }

  /** To be called in a transaction. */
  async switchOff(kind: AutomationKind, refused: readonly SwitchOff[]): Promise<void> {
    if (refused.length === 0) return;
    const causes = new Map(refused.map(({ id, causedByRunId }) => [id, causedByRunId ?? null]));
    const off = await this.repository.switchOff(kind, refused);
    await this.outbox.addMany(
      off.map(({ id, workspaceId, environmentId, name, reason }) => {
        const cause = causes.get(id) ?? null;
        const event = {
          workspaceId,
          environmentId,
          type: `${kind.name}.disabled`,
          data: { id, name, reason },
        };
        return cause === null ? event : { ...event, causedByRunId: cause };
      }),
    );
  }

  /** @throws Conflict: what would be switched off again at once cannot be switched on */
  async assertNotRefused(kind: AutomationKind, automation: Automation): Promise<void> {
    const [refused] = await this.refusals(kind, [automation]);
    if (!refused) return;
    throw new Conflict(
      `The ${kind.name} cannot be switched on: ${refused.reason}. Make another one instead.`,
    );
  }

  private async consume(events: readonly DispatchedEvent[]): Promise<void> {
    const lost = lostNeeds(events);
    if (lost) await this.switchOffAllAffected(lost);
  }

  private async switchOffAllAffected(lost: Partial<LostNeeds>): Promise<void> {
    for (const kind of AUTOMATION_KINDS) await this.switchOffAffected(kind, { ...NOTHING_LOST, ...lost });
  }

  private async switchOffAffected(kind: AutomationKind, lost: LostNeeds): Promise<void> {
    await this.switchOff(kind, await this.refusals(kind, await this.repository.lockAffected(kind, lost)));
  }

  /** Which of these would be refused now, and why. */
  async refusals(kind: AutomationKind, automations: readonly Automation[]): Promise<SwitchOff[]> {
    const orders = automations.map((automation) => trialOrder(kind, automation));
    const reasons = new Map((await this.runs.refusals(orders)).map(({ id, reason }) => [id, reason]));
    return orders.flatMap((order, index) => {
      const reason = reasons.get(order.id);
      return reason === undefined ? [] : [{ id: automations[index]!.id, reason }];
    });
  }
}
