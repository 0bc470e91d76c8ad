import { Injectable } from '@nestjs/common';

import { AutomationNeedsService } from '../automations/index.js';
import { Database } from '../core/database/index.js';
import { Conflict } from '../core/errors/index.js';
import { EventTypes } from '../core/outbox/index.js';
import type { Trigger } from './trigger.entity.js';
import { TriggersRepository } from './triggers.repository.js';

/** So many triggers may wait for one event. */
const MOST = 100;

/** Limits how many triggers one event fires, counted by its type, its environment and its script. */
@Injectable()
export class TriggerCrowdService {
  constructor(
    private readonly needs: AutomationNeedsService,
    private readonly database: Database,
    private readonly triggers: TriggersRepository,
    private readonly eventTypes: EventTypes,
  ) {}

  /**
   * A change that may make one too many. Those of a workspace take turns, from before any trigger is locked: otherwise each of
   * many at once would count without the others.
   */
  countedAlone<T>(workspaceId: string, change: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      await this.needs.lockWorkspace(workspaceId);
      return change();
    });
  }

  /**
   * To be called in the transaction that has made the trigger, or changed what it waits for.
   *
   * @throws Conflict where it would be one too many
   */
  async assertFits(
    trigger: Pick<Trigger, 'id' | 'workspaceId' | 'environmentId' | 'eventType'>,
  ): Promise<void> {
    const scoped = this.eventTypes.find(trigger.eventType)?.environmentScoped ?? false;
    if ((await this.triggers.countTogether(trigger, scoped)) <= MOST) return;
    throw new Conflict(
      `At most ${MOST} triggers may wait for ${trigger.eventType} of one script. Give this one a filter on the script.slug of another, or delete or switch off one of them.`,
    );
  }
}
