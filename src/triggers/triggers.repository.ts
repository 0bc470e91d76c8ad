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

  /**
   * How many enabled triggers there are, an enabled one among them, that the same event may fire: on its type, for its
   * script or for any, and in its environment where its type belongs to one.
   */
  async countTogether(
    {
      id,
      workspaceId,
      environmentId,
      eventType,
    }: Pick<Trigger, 'id' | 'workspaceId' | 'environmentId' | 'eventType'>,
    inEnvironment: boolean,
  ): Promise<number> {
    const parameters = [workspaceId, eventType, inEnvironment ? environmentId : null, id];
    return (await this.database.one<{ count: number }>(COUNT_TOGETHER, parameters))!.count;
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

/** A filter that names no script, or one by another field, is for any. */
const COUNT_TOGETHER = `
  WITH waiting AS (
    SELECT t.id, COALESCE(t.filter ->> 'script.id', s.id, t.filter ->> 'script.slug') AS script
    FROM triggers t LEFT JOIN scripts s ON s.workspace_id = t.workspace_id AND s.slug = t.filter ->> 'script.slug'
    WHERE t.workspace_id = $1 AND t.event_type = $2 AND t.enabled AND ($3::text IS NULL OR t.environment_id = $3)
  ), own AS (
    SELECT script FROM waiting WHERE id = $4
  ), of_scripts AS (
    SELECT count(*) AS count FROM waiting w, own
    WHERE w.script IS NOT NULL AND (own.script IS NULL OR w.script = own.script) GROUP BY w.script
  )
  SELECT ((SELECT count(*) FROM waiting WHERE script IS NULL) + COALESCE((SELECT max(count) FROM of_scripts), 0))::int AS count
  FROM own`;
