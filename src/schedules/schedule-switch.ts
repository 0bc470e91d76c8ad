import { Injectable, type OnModuleInit } from '@nestjs/common';

import { newId } from '../core/crypto/ids.js';
import { type DispatchedEvent, EventConsumers } from '../core/outbox/event-consumers.js';
import type { SystemRunOrder } from '../runs/system-runs.js';
import { SystemRuns } from '../runs/system-runs.service.js';
import { ScheduleEvents } from './schedule.events.js';
import { type AffectedSchedule, ScheduleSwitchRepository } from './schedule-switch.repository.js';

/**
 * Switches schedules off whose runs would be refused, and tells why: as soon as a script is archived, an environment is
 * closed to agents or somebody leaves. What has no event is found out when a schedule is due.
 */
@Injectable()
export class ScheduleSwitch implements OnModuleInit {
  constructor(
    private readonly repository: ScheduleSwitchRepository,
    private readonly runs: SystemRuns,
    private readonly events: ScheduleEvents,
    private readonly consumers: EventConsumers,
  ) {}

  onModuleInit(): void {
    this.consumers.register('schedules', (events) => this.consume(events));
  }

  /** To be called in a transaction. */
  async switchOff(refused: readonly { id: string; reason: string }[]): Promise<void> {
    if (refused.length === 0) return;
    await this.events.disabled(await this.repository.switchOff(refused));
  }

  private async consume(events: readonly DispatchedEvent[]): Promise<void> {
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
    const orders = new Map(affected.map((schedule) => [newId('run'), schedule]));
    const refused = await this.runs.refusals([...orders].map(([id, schedule]) => orderOf(id, schedule)));
    await this.switchOff(refused.map(({ id, reason }) => ({ id: orders.get(id)!.id, reason })));
  }
}

/** What it would order if it were due now; whether it is refused does not depend on the inputs. */
function orderOf(id: string, { id: scheduleId, ...schedule }: AffectedSchedule): SystemRunOrder {
  return { id, ...schedule, inputs: {}, origin: { interface: 'schedule', scheduleId } };
}
