import { Injectable } from '@nestjs/common';

import type { DispatchedEvent } from '../../core/outbox/event-consumers.js';
import { Outbox } from '../../core/outbox/outbox.js';
import { SystemRuns } from '../../runs/system-runs.service.js';
import { triggerOrder } from '../trigger.orders.js';
import { TriggerSwitchRepository } from './trigger-switch.repository.js';

export interface SwitchOff {
  id: string;
  reason: string;
  /** The run at the end of whose chain it is. */
  causedByRunId?: string | null;
}

/**
 * Switches triggers off whose runs would be refused, and tells why: as soon as a script is archived, an environment is
 * closed to agents or somebody leaves. What has no event is found out when a trigger would fire.
 */
@Injectable()
export class TriggerSwitch {
  constructor(
    private readonly repository: TriggerSwitchRepository,
    private readonly runs: SystemRuns,
    private readonly outbox: Outbox,
  ) {}

  /** To be called in a transaction. */
  async switchOff(triggers: readonly SwitchOff[]): Promise<void> {
    if (triggers.length === 0) return;
    const causes = new Map(triggers.map(({ id, causedByRunId }) => [id, causedByRunId ?? null]));
    const off = await this.repository.switchOff(triggers);
    await this.outbox.addMany(
      off.map(({ id, workspaceId, environmentId, name, reason }) => {
        const cause = causes.get(id) ?? null;
        const data = { id, name, reason };
        const event = { workspaceId, environmentId, type: 'trigger.disabled', data };
        return cause === null ? event : { ...event, causedByRunId: cause };
      }),
    );
  }

  /** What these events tell of may have taken from triggers what they need. */
  async consume(events: readonly DispatchedEvent[]): Promise<void> {
    const changes = {
      scriptIds: events.flatMap(({ type, data }) =>
        type === 'script.archived' ? (data['script'] as { id: string }).id : [],
      ),
      environmentIds: events.flatMap(({ type, data, environmentId }) =>
        type === 'environment.updated' && (data['changed'] as string[]).includes('agentsAllowed')
          ? (environmentId ?? [])
          : [],
      ),
      members: events.flatMap(({ type, data, workspaceId }) =>
        type === 'workspace.member.removed' || type === 'workspace.member.role_changed'
          ? { workspaceId, userId: data['userId'] as string }
          : [],
      ),
    };
    if (Object.values(changes).every((list) => list.length === 0)) return;
    const affected = await this.repository.lockAffected(changes);
    const orders = new Map(
      affected.map((trigger) => {
        const order = triggerOrder(trigger);
        return [order.id, { order, triggerId: trigger.id }];
      }),
    );
    const refused = await this.runs.refusals([...orders.values()].map(({ order }) => order));
    await this.switchOff(refused.map(({ id, reason }) => ({ id: orders.get(id)!.triggerId, reason })));
  }
}
