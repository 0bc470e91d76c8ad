import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';

import { CLOCKS_APART_MS, firstIdAt } from '../core/crypto/index.js';
import { newestFirst } from '../core/database/index.js';
import { AuditEvent } from './audit-event.entity.js';

const LISTED = [
  'id',
  'action',
  'actorType',
  'actorUserId',
  'credentialType',
  'credentialName',
  'address',
  'targetType',
  'targetId',
  'details',
  'createdAt',
] as const;

export type AuditRow = Pick<AuditEvent, (typeof LISTED)[number]> & {
  /** null where nobody acted, or who did is gone. */
  actorName: string | null;
};

export interface AuditFilters {
  workspaceId: string;
  action?: string | undefined;
  actor?: string | undefined;
  /** Not a run's. */
  target?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

@Injectable()
export class AuditRepository {
  constructor(@InjectRepository(AuditEvent) private readonly events: Repository<AuditEvent>) {}

  async list(
    { workspaceId, action, actor, target, since, until }: AuditFilters,
    after: string | null,
    count: number,
  ): Promise<AuditRow[]> {
    const query = this.events
      .createQueryBuilder('e')
      .select(LISTED.map((property) => `e.${property}`))
      .addSelect('actor.name', 'actorName')
      .leftJoin('User', 'actor', 'actor.id = e.actorUserId')
      .where('e.workspaceId = :workspaceId', { workspaceId });
    if (action !== undefined) query.andWhere('e.action = :action', { action });
    if (actor !== undefined) query.andWhere('e.actorUserId = :actor', { actor });
    if (target !== undefined) query.andWhere(`e.targetId = :target AND e.targetType <> 'run'`, { target });
    if (since !== undefined) {
      // Ids are made by our clocks and `created_at` by the database's. The ids let the index begin and end the search.
      const firstId = firstIdAt('audit', new Date(since.getTime() - CLOCKS_APART_MS));
      query.andWhere('e.id >= :firstId AND e.createdAt >= :since', { firstId, since });
    }
    if (until !== undefined) {
      const endId = firstIdAt('audit', new Date(until.getTime() + CLOCKS_APART_MS));
      query.andWhere('e.id < :endId AND e.createdAt < :until', { endId, until });
    }
    const { entities, raw } = await newestFirst(query, after, count).getRawAndEntities<{
      actorName: string | null;
    }>();
    return entities.map((event, index) => ({ ...event, actorName: raw[index]!.actorName }));
  }
}
