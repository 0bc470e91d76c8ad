import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type Repository } from 'typeorm';

import type { Role } from '../../core/access/index.js';
import { firstIdAt } from '../../core/crypto/index.js';
import { arraysOf, Database, NOW } from '../../core/database/index.js';
import { deleteFirst, type Expired, Expires } from '../../core/work/index.js';
import { Trigger } from '../trigger.entity.js';
import type { FiredEvent, ListeningTrigger } from './matches.js';
import { TriggerFiring } from './trigger-firing.entity.js';
import { AUTHOR_ROLES } from './trigger-firing.sql.js';

@Injectable()
export class TriggerFiringRepository {
  constructor(
    @InjectRepository(Trigger) private readonly triggers: Repository<Trigger>,
    @InjectRepository(TriggerFiring) private readonly firings: Repository<TriggerFiring>,
    private readonly database: Database,
  ) {}

  /** The first enabled triggers on an event's type that it may fit, in the order of their ids, after one of them. */
  listening(
    { workspaceId, environmentId, type: eventType }: FiredEvent,
    after: string,
    count: number,
  ): Promise<Pick<ListeningTrigger, 'id' | 'environmentId' | 'filter'>[]> {
    return this.triggers
      .createQueryBuilder('t')
      .select(['t.id', 't.environmentId', 't.filter'])
      .where({ workspaceId, eventType, ...(environmentId !== null && { environmentId }) })
      .andWhere('t.enabled AND t.id > :after', { after })
      .orderBy('t.id')
      .limit(count)
      .getMany();
  }

  /** Those that are still enabled; nobody changes them until the transaction ends. By id, so that no two wait for each other. */
  lock(ids: readonly string[]): Promise<ListeningTrigger[]> {
    return this.triggers
      .createQueryBuilder('t')
      .where('t.id = ANY(:ids) AND t.enabled', { ids })
      .orderBy('t.id')
      .setLock('for_no_key_update')
      .getMany();
  }

  /** Records that an event fires triggers. Returns those of which it was not recorded before. */
  async recordNew(eventId: string, triggerIds: readonly string[]): Promise<Set<string>> {
    if (triggerIds.length === 0) return new Set();
    const insert = this.firings.createQueryBuilder().insert().orIgnore().updateEntity(false);
    const rows = triggerIds.map((triggerId) => ({ eventId, triggerId }));
    const { raw } = await insert.values(rows).returning('trigger_id AS id').execute();
    return new Set((raw as { id: string }[]).map(({ id }) => id));
  }

  /** The role of each author, in the order given: `admin` for an API key, null for one who has left the workspace. */
  async authorRoles(triggers: readonly ListeningTrigger[]): Promise<(Role | null)[]> {
    const parameters = arraysOf(triggers, 'workspaceId', 'authorUserId');
    const rows = await this.database.query<{ role: Role | null }>(AUTHOR_ROLES, parameters);
    return rows.map(({ role }) => role);
  }

  async markFired(ids: readonly string[]): Promise<void> {
    await this.triggers.update({ id: Any([...ids]) }, { lastFiredAt: NOW });
  }

  /** What events fired goes once they are gone. */
  @Expires({ after: 'events' })
  deleteOld({ before, most }: Expired): Promise<number> {
    const old = this.firings
      .createQueryBuilder('f')
      .where('f.eventId < :end', { end: firstIdAt('event', before) })
      .andWhere('NOT EXISTS (SELECT FROM events e WHERE e.id = f.event_id)')
      .orderBy('f.eventId');
    return deleteFirst(this.firings, old, most);
  }
}
