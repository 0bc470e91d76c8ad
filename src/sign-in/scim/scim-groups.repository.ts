import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Not, type Repository, type SelectQueryBuilder } from 'typeorm';

import { cutText } from '../../../libs/cut-text/index.js';
import { insertIfAbsent, NOW } from '../../core/database/index.js';
import type { GroupNames } from './group-attributes.js';
import type { Comparison } from './scim-filter.js';
import { ScimGroupMember } from './scim-group-member.entity.js';
import { ScimGroup } from './scim-group.entity.js';
import { ScimProblem } from './scim-problem.js';
import { textKey } from './text-key.js';

/** A group that somebody is in. */
export interface JoinedGroup extends GroupNames {
  userId: string;
  groupId: string;
}

@Injectable()
export class ScimGroupsRepository {
  constructor(
    @InjectRepository(ScimGroup) private readonly groups: Repository<ScimGroup>,
    @InjectRepository(ScimGroupMember) private readonly members: Repository<ScimGroupMember>,
  ) {}

  find(way: string, id: string): Promise<ScimGroup | null> {
    return this.groups.findOneBy({ way, id });
  }

  /** Whether it is there, and so until the surrounding transaction ends. */
  async lock(id: string): Promise<boolean> {
    const found = await this.groups.findOne({
      select: { id: true },
      where: { id },
      lock: { mode: 'for_key_share' },
    });
    return found !== null;
  }

  /** As `lock`, and nobody else may hold it: whoever is about to join waits. */
  async lockToDelete(id: string): Promise<void> {
    await this.groups.findOne({ select: { id: true }, where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** @throws ScimProblem (invalidFilter) */
  async list(
    way: string,
    filter: readonly Comparison[],
    { skipped, count }: { skipped: number; count: number },
  ): Promise<{ rows: ScimGroup[]; total: number }> {
    const query = this.groups.createQueryBuilder('g').where({ way });
    for (const [place, comparison] of filter.entries()) narrow(query, comparison, `member${place}`);
    const total = await query.getCount();
    const rows = count === 0 ? [] : await query.orderBy('g.id').offset(skipped).limit(count).getMany();
    return { rows, total };
  }

  /** False: there is one of that name. */
  insert(id: string, way: string, { displayName, externalId }: GroupNames): Promise<boolean> {
    const displayNameKey = textKey(displayName);
    return insertIfAbsent(this.groups, { id, way, displayName, displayNameKey, externalId });
  }

  async isNameTaken(way: string, displayName: string, exceptId: string): Promise<boolean> {
    return this.groups.existsBy({ way, displayNameKey: textKey(displayName), id: Not(exceptId) });
  }

  async setNames(id: string, { displayName, externalId }: GroupNames): Promise<void> {
    const displayNameKey = textKey(displayName);
    await this.groups.update({ id }, { displayName, displayNameKey, externalId, updatedAt: NOW });
  }

  async touch(id: string): Promise<void> {
    await this.groups.update({ id }, { updatedAt: NOW });
  }

  async delete(id: string): Promise<void> {
    await this.groups.delete({ id });
  }

  async membersOf(groupId: string): Promise<string[]> {
    const found = await this.members.find({
      select: { userId: true },
      where: { groupId },
      order: { userId: 'ASC' },
    });
    return found.map(({ userId }) => userId);
  }

  /** The groups of the directory that these people are in. */
  async joinedBy(way: string, userIds: readonly string[]): Promise<JoinedGroup[]> {
    const found = await this.members.find({
      select: { userId: true, groupId: true, group: { id: true, displayName: true, externalId: true } },
      relations: { group: true },
      where: { userId: Any([...userIds]), group: { way } },
    });
    return found.map(({ userId, groupId, group }) => {
      const { displayName, externalId } = group!;
      return { userId, groupId, displayName, externalId };
    });
  }

  /** Whether the directory has told us of any group. */
  hasAny(way: string): Promise<boolean> {
    return this.groups.existsBy({ way });
  }

  async add(groupId: string, userIds: readonly string[]): Promise<void> {
    if (userIds.length === 0) return;
    const rows = userIds.map((userId) => ({ groupId, userId }));
    await this.members.createQueryBuilder().insert().values(rows).orIgnore().updateEntity(false).execute();
  }

  async remove(groupId: string, userIds: readonly string[]): Promise<void> {
    await this.members.delete({ groupId, userId: Any([...userIds]) });
  }

  async removeFromAll(userId: string): Promise<void> {
    await this.members.delete({ userId });
  }
}

function narrow(
  query: SelectQueryBuilder<ScimGroup>,
  { attribute, value }: Comparison,
  parameter: string,
): void {
  if (typeof value === 'string') {
    if (attribute === 'id') return void query.andWhere({ id: value });
    if (attribute === 'displayname') return void query.andWhere({ displayNameKey: textKey(value) });
    if (attribute === 'externalid') return void query.andWhere({ externalId: value });
    if (attribute === 'members' || attribute === 'members.value') {
      const joined = query
        .subQuery()
        .from(ScimGroupMember, 'm')
        .where(`m.groupId = g.id AND m.userId = :${parameter}`);
      return void query.andWhere(`EXISTS ${joined.getQuery()}`, { [parameter]: value });
    }
  }
  throw new ScimProblem(
    'invalidFilter',
    `Groups cannot be looked for by ${cutText(attribute, 100)} and such a value.`,
  );
}
