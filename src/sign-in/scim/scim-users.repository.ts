import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, type Repository, type SelectQueryBuilder } from 'typeorm';

import { cutText } from '../../../libs/cut-text/index.js';
import { User } from '../../auth/index.js';
import type { Person } from '../../core/access/index.js';
import { insertIfAbsent, NOW } from '../../core/database/index.js';
import type { Comparison } from './scim-filter.js';
import { ScimProblem } from './scim-problem.js';
import { ScimUser } from './scim-user.entity.js';
import { textKey } from './text-key.js';

export type ScimUserRow = Omit<ScimUser, 'userId' | 'createdAt' | 'updatedAt'>;

/** Which column an attribute is in, and as what. */
const COLUMNS: Readonly<Record<string, readonly [column: keyof ScimUser, as: (text: string) => string]>> = {
  id: ['userId', (text) => text],
  username: ['userNameKey', textKey],
  externalid: ['externalId', (text) => text],
  emails: ['emailKey', textKey],
  'emails.value': ['emailKey', textKey],
};
/** The one address that is looked at is that at work. */
const PASSED_OVER = new Set(['emails.type', 'emails.primary']);
const LOCK = { mode: 'for_no_key_update' } as const;

@Injectable()
export class ScimUsersRepository {
  constructor(@InjectRepository(ScimUser) private readonly users: Repository<ScimUser>) {}

  find(way: string, userId: string): Promise<ScimUser | null> {
    return this.users.findOneBy({ way, userId, deletedAt: IsNull() });
  }

  /** The same; nobody else changes it before the surrounding transaction ends. */
  lock(way: string, userId: string): Promise<ScimUser | null> {
    return this.users.findOne({ where: { way, userId, deletedAt: IsNull() }, lock: LOCK });
  }

  /** Also of a directory that managed the account once. */
  lockAny(userId: string): Promise<ScimUser | null> {
    return this.users.findOne({ where: { userId }, lock: LOCK });
  }

  isNameTaken(way: string, userName: string): Promise<boolean> {
    return this.users.existsBy({ way, userNameKey: textKey(userName), deletedAt: IsNull() });
  }

  /** @throws ScimProblem (invalidFilter) */
  async list(
    way: string,
    filter: readonly Comparison[],
    { skipped, count }: { skipped: number; count: number },
  ): Promise<{ rows: ScimUser[]; total: number }> {
    const query = this.users.createQueryBuilder('s').where({ way, deletedAt: IsNull() });
    for (const comparison of filter) narrow(query, comparison);
    const total = await query.getCount();
    const rows = count === 0 ? [] : await query.orderBy('s.userId').offset(skipped).limit(count).getMany();
    return { rows, total };
  }

  /** Those of the people that the directory manages. */
  async known(way: string, userIds: readonly string[]): Promise<Set<string>> {
    const where = { way, userId: Any([...userIds]), deletedAt: IsNull() };
    const found = await this.users.find({ select: { userId: true }, where });
    return new Set(found.map(({ userId }) => userId));
  }

  /** The same; the directory takes none of them away before the surrounding transaction ends. */
  async lockKnown(way: string, userIds: readonly string[]): Promise<string[]> {
    const found = await this.users.find({
      select: { userId: true },
      where: { way, userId: Any([...userIds]), deletedAt: IsNull() },
      order: { userId: 'ASC' },
      lock: LOCK,
    });
    return found.map(({ userId }) => userId);
  }

  /** Those who can sign in; nobody else changes that of them before the surrounding transaction ends. */
  async lockActive(way: string, userIds: readonly string[]): Promise<Person[]> {
    const where = { way, userId: Any([...userIds]), active: true, deletedAt: IsNull() };
    const active = await this.users.find({
      select: { userId: true },
      where,
      order: { userId: 'ASC' },
      lock: LOCK,
    });
    return this.users.manager.find(User, {
      select: { id: true, email: true, name: true },
      where: { id: Any(active.map(({ userId }) => userId)), disabledAt: IsNull() },
      order: { id: 'ASC' },
    });
  }

  /** False: the account has one already. */
  insert(userId: string, row: ScimUserRow): Promise<boolean> {
    return insertIfAbsent(this.users, { userId, ...row });
  }

  async update(userId: string, changes: Partial<ScimUserRow>): Promise<void> {
    await this.users.update({ userId }, { ...changes, updatedAt: NOW });
  }

  /** False: it was no directory that disabled the account. */
  async forgetDisabling(userId: string): Promise<boolean> {
    const { affected } = await this.users.update(
      { userId, disabledAccount: true },
      { disabledAccount: false },
    );
    return affected === 1;
  }

  async delete(userId: string): Promise<void> {
    await this.users.update({ userId }, { deletedAt: NOW, updatedAt: NOW, active: false, profile: {} });
  }
}

function narrow(query: SelectQueryBuilder<ScimUser>, { attribute, value }: Comparison): void {
  if (PASSED_OVER.has(attribute)) return;
  if (attribute === 'active' && typeof value === 'boolean') {
    query.andWhere({ active: value });
    return;
  }
  const column = COLUMNS[attribute];
  if (!column || typeof value !== 'string') {
    throw new ScimProblem(
      'invalidFilter',
      `People cannot be looked for by ${cutText(attribute, 100)} and such a value.`,
    );
  }
  query.andWhere({ [column[0]]: column[1](value) });
}
