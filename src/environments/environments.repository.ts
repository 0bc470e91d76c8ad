import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, type Repository } from 'typeorm';

import type { EnvironmentRule } from '../core/access/index.js';
import { Database, insertIfAbsent, newestFirst, NOW } from '../core/database/index.js';
import { ENVIRONMENT_USES } from './environment-uses.sql.js';
import type { EnvironmentSettings } from './environment.changes.js';
import { Environment } from './environment.entity.js';
import type { EnvironmentUses } from './environment.uses.js';
import { FormerEnvironment } from './former-environment.entity.js';

type NewEnvironment = Omit<Environment, 'createdAt' | 'updatedAt' | 'deletedAt'>;

/** An environment that nobody changes until the transaction ends. */
export type HeldEnvironment = Environment & {
  /** By the database's clock. */
  now: Date;
};

@Injectable()
export class EnvironmentsRepository {
  constructor(
    @InjectRepository(Environment) private readonly environments: Repository<Environment>,
    @InjectRepository(FormerEnvironment) private readonly former: Repository<FormerEnvironment>,
    private readonly database: Database,
  ) {}

  /** Changes of a workspace's environments take turns, so that there is always exactly one default. */
  async lockWorkspace(id: string): Promise<void> {
    const lock = { mode: 'for_no_key_update' } as const;
    await this.environments.manager.findOne('Workspace', { select: { id: true }, where: { id }, lock });
  }

  /** False: the name is taken. */
  insert(environment: NewEnvironment): Promise<boolean> {
    return insertIfAbsent(this.environments, environment);
  }

  /** Newest first; only one of them where `onlyId` is given. */
  list(
    workspaceId: string,
    onlyId: string | null,
    after: string | null,
    count: number,
  ): Promise<Environment[]> {
    const query = this.environments.createQueryBuilder('environment');
    query.where({ workspaceId, deletedAt: IsNull(), ...(onlyId !== null && { id: onlyId }) });
    return newestFirst(query, after, count).getMany();
  }

  /** Those of several workspaces, by name. */
  listIn(workspaceIds: readonly string[]): Promise<Pick<Environment, 'workspaceId' | 'name'>[]> {
    return this.environments.find({
      select: { id: true, workspaceId: true, name: true },
      where: { workspaceId: Any([...workspaceIds]), deletedAt: IsNull() },
      order: { name: 'ASC' },
    });
  }

  findById(workspaceId: string, id: string): Promise<Environment | null> {
    return this.environments.findOneBy({ workspaceId, id, deletedAt: IsNull() });
  }

  findByName(workspaceId: string, name: string): Promise<Environment | null> {
    return this.environments.findOneBy({ workspaceId, name, deletedAt: IsNull() });
  }

  /** Locked against being deleted until the transaction ends. False: it is not there. */
  async hold(workspaceId: string, id: string): Promise<boolean> {
    const where = { workspaceId, id, deletedAt: IsNull() };
    return (await this.environments.findOne({ where, lock: { mode: 'for_key_share' } })) !== null;
  }

  async holdNamed(workspaceId: string, name: string): Promise<HeldEnvironment | null> {
    const { entities, raw } = await this.environments
      .createQueryBuilder('e')
      .addSelect('clock_timestamp()', 'now')
      .where({ workspaceId, name, deletedAt: IsNull() })
      .setLock('pessimistic_read')
      .getRawAndEntities<{ now: Date }>();
    return entities[0] ? { ...entities[0], now: raw[0]!.now } : null;
  }

  /** Waits for those who hold it, and keeps others from holding it. */
  async lock(id: string): Promise<void> {
    await this.environments.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  async update(id: string, settings: EnvironmentSettings): Promise<void> {
    await this.environments.update({ id }, { ...settings, updatedAt: NOW });
  }

  /** Leaves the workspace, which is locked, without a default until the same transaction makes another one. */
  async takeDefault(workspaceId: string): Promise<Environment | null> {
    const present = await this.environments.findOneBy({ workspaceId, isDefault: true, deletedAt: IsNull() });
    if (present) await this.environments.update({ id: present.id }, { isDefault: false, updatedAt: NOW });
    return present;
  }

  async delete(id: string): Promise<void> {
    await this.environments.update({ id }, { deletedAt: NOW, updatedAt: NOW });
  }

  /** Remembers the rule of a name that is given up, so that nobody gets around it by giving the name to a new environment. */
  async rememberRule({ workspaceId, name, approvalPolicy, agentsAllowed }: Environment): Promise<void> {
    await this.former.upsert({ workspaceId, name, approvalPolicy, agentsAllowed }, ['workspaceId', 'name']);
  }

  /** null: no environment has lost the name yet. */
  formerRule(workspaceId: string, name: string): Promise<EnvironmentRule | null> {
    return this.former.findOneBy({ workspaceId, name });
  }

  async usesOf(workspaceId: string, id: string): Promise<EnvironmentUses> {
    return (await this.database.one<EnvironmentUses>(ENVIRONMENT_USES, [workspaceId, id]))!;
  }
}
