import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import {
  type AutomationRelations,
  AutomationsRepository,
  type FoundAutomation,
  type ListedAutomation,
} from '../automations/index.js';
import { Database } from '../core/database/index.js';
import type { UsedScript, UseViewer } from '../scripts/index.js';
import { ANY_ON_RUNS, type Follower, FOLLOWERS } from './followers.sql.js';
import { COUNT_TOGETHER } from './trigger-crowd.sql.js';
import { Trigger } from './trigger.entity.js';

/** Without what it is joined with. */
export type TriggerRow = Omit<Trigger, keyof AutomationRelations>;
export type ListedTrigger = ListedAutomation<TriggerRow>;
export type FoundTrigger = FoundAutomation<TriggerRow>;

@Injectable()
export class TriggersRepository extends AutomationsRepository<TriggerRow> {
  constructor(database: Database, @InjectRepository(Trigger) triggers: Repository<Trigger>) {
    super(database, triggers, { enabled: false });
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

  /** Whether any trigger of a workspace is on runs: most have none, and this is told by the index alone. */
  async anyOnRuns(workspaceId: string): Promise<boolean> {
    return (await this.database.one<{ exist: boolean }>(ANY_ON_RUNS, [workspaceId]))!.exist;
  }

  /** Triggers on runs, of other scripts that the viewer may see, whose author may see this one. */
  followersOf({ id, workspaceId }: UsedScript, viewer: UseViewer): Promise<Follower[]> {
    const { role, userId, environmentId, scriptChoice } = viewer;
    const parameters = [workspaceId, id, role, userId, environmentId, scriptChoice];
    return this.database.query<Follower>(FOLLOWERS, parameters);
  }
}
