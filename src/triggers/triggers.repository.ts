import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { QueryDeepPartialEntity, Repository } from 'typeorm';

import { AutomationsRepository, type FoundAutomation, type ListedAutomation } from '../automations/index.js';
import { columns, type RowOf } from '../core/database/columns.js';
import { Database } from '../core/database/database.js';
import { Trigger } from './trigger.entity.js';

const LISTED = columns(
  Trigger,
  'a',
  'id',
  'name',
  'eventType',
  'filter',
  'inputs',
  'enabled',
  'disabledReason',
  'createdByUserId',
  'lastFiredAt',
);
const DETAILS = columns(Trigger, 'a', 'byAgent', 'authorUserId', 'scriptId', 'environmentId');

export type TriggerRow = ListedAutomation<RowOf<typeof LISTED>>;
export type FoundTrigger = FoundAutomation<RowOf<typeof LISTED>, RowOf<typeof DETAILS>>;

export type TriggerChange = Pick<
  Trigger,
  'name' | 'environmentId' | 'filter' | 'inputs' | 'enabled' | 'byAgent' | 'authorUserId' | 'disabledReason'
>;

export type NewTrigger = Omit<TriggerChange, 'enabled' | 'disabledReason'> &
  Pick<Trigger, 'id' | 'workspaceId' | 'scriptId' | 'eventType' | 'createdByUserId'>;

export type TriggerUse = Pick<Trigger, 'id' | 'name' | 'eventType' | 'enabled'>;

const MOST_USES = 100;

@Injectable()
export class TriggersRepository extends AutomationsRepository<RowOf<typeof LISTED>, RowOf<typeof DETAILS>> {
  constructor(
    database: Database,
    @InjectRepository(Trigger) private readonly triggers: Repository<Trigger>,
  ) {
    super(database, { table: 'triggers', listed: LISTED, details: DETAILS });
  }

  /** The newest that run a script, of one environment or of all. */
  usesOf(scriptId: string, environmentId: string | null): Promise<TriggerUse[]> {
    return this.triggers.find({
      select: { id: true, name: true, eventType: true, enabled: true },
      where: environmentId === null ? { scriptId } : { scriptId, environmentId },
      order: { id: 'DESC' },
      take: MOST_USES,
    });
  }

  async insert(trigger: NewTrigger): Promise<void> {
    await this.triggers.insert(trigger as QueryDeepPartialEntity<Trigger>);
  }

  async change(id: string, change: TriggerChange): Promise<void> {
    await this.triggers.update({ id }, change as QueryDeepPartialEntity<Trigger>);
  }

  async delete(id: string): Promise<void> {
    await this.triggers.delete({ id });
  }
}
