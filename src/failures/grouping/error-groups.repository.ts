import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Not, type Repository } from 'typeorm';

import { Database } from '../../core/database/index.js';
import { ErrorGroup } from '../error-group.entity.js';
import { ErrorRun } from '../error-run.entity.js';

/** What an error is told from others by. */
type ErrorKey = Pick<ErrorGroup, 'scriptId' | 'environmentId' | 'fingerprint'>;

type Scope = Partial<Pick<ErrorGroup, 'workspaceId' | 'scriptId' | 'environmentId'>>;

/** Errors, as whoever counts failures sees them. */
@Injectable()
export class ErrorGroupsRepository {
  constructor(
    @InjectRepository(ErrorGroup) private readonly groups: Repository<ErrorGroup>,
    @InjectRepository(ErrorRun) private readonly runs: Repository<ErrorRun>,
    private readonly database: Database,
  ) {}

  /** One process at a time counts a workspace's. False: another one does. */
  takeTurn(workspaceId: string): Promise<boolean> {
    return this.database.tryLock(`errors of ${workspaceId}`);
  }

  /** Nobody else changes them until the transaction ends. */
  lock(keys: readonly ErrorKey[]): Promise<ErrorGroup[]> {
    const where = keys.map(({ scriptId, environmentId, fingerprint }) => ({
      scriptId,
      environmentId,
      fingerprint,
    }));
    return this.groups.find({ where, order: { id: 'ASC' }, lock: { mode: 'pessimistic_write' } });
  }

  async insert(group: ErrorGroup): Promise<void> {
    await this.groups.createQueryBuilder().insert().values(group).updateEntity(false).execute();
  }

  async update({ id, ...change }: ErrorGroup): Promise<void> {
    await this.groups.update({ id }, change);
  }

  async addRuns(runs: readonly ErrorRun[]): Promise<void> {
    await this.runs
      .createQueryBuilder()
      .insert()
      .values([...runs])
      .orIgnore()
      .updateEntity(false)
      .execute();
  }

  count(scope: Scope): Promise<number> {
    return this.groups.countBy(scope);
  }

  /** The resolved one that was seen least lately goes. False: there is none besides those that are kept. */
  forgetResolved(scope: Scope, kept: readonly string[]): Promise<boolean> {
    return this.forget({ ...scope, status: 'resolved' as const }, kept);
  }

  /** The same, resolved or not. */
  forgetOldest(scope: Scope, kept: readonly string[]): Promise<boolean> {
    return this.forget(scope, kept);
  }

  private async forget(
    scope: Scope & Partial<Pick<ErrorGroup, 'status'>>,
    kept: readonly string[],
  ): Promise<boolean> {
    const oldest = await this.groups.findOne({
      select: { id: true },
      where: { ...scope, id: Not(In([...kept])) },
      order: { lastEventId: 'ASC' },
    });
    if (oldest) await this.groups.delete({ id: oldest.id });
    return oldest !== null;
  }
}
