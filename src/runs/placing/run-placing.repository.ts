import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type Repository } from 'typeorm';

import { countSome, NOW } from '../../core/database/index.js';
import { HeldCopy, isCarried } from '../../core/work/index.js';
import { Run } from '../run.entity.js';

/** For its index. */
const IS_TAGGED = `phase = 'queued' AND runs_on IS NOT NULL`;

/** A run that no worker can take, as its event tells of it. */
export type UnplaceableRun = Pick<
  Run,
  | 'id'
  | 'workspaceId'
  | 'environmentId'
  | 'scriptId'
  | 'scriptSlug'
  | 'version'
  | 'interface'
  | 'startedByUserId'
  | 'credentialType'
  | 'credentialName'
  | 'startedAt'
  | 'test'
  | 'plan'
  | 'labels'
> & { runsOn: string[]; scriptName: string; environment: string };

/** Queued runs that ask for tags, and whether a worker carries these. */
@Injectable()
export class RunPlacingRepository {
  constructor(
    @InjectRepository(Run) private readonly runs: Repository<Run>,
    private readonly copy: HeldCopy,
  ) {}

  /** Whether this is a restored copy, whose workers take nothing. */
  get isHeldCopy(): boolean {
    return this.copy.isHeld;
  }

  /** Whether a worker can take what asks for these tags. */
  async isPlaceable(id: string): Promise<boolean> {
    const found = await this.runs
      .createQueryBuilder('r')
      .select(`runs_on IS NULL OR ${isCarried('runs_on')}`, 'placeable')
      .where({ id })
      .getRawOne<{ placeable: boolean }>();
    return found?.placeable ?? true;
  }

  /** Locks those of which it is not known yet that no worker can take them, at most `count`. */
  lockUnplaceable(count: number): Promise<UnplaceableRun[]> {
    return this.runs
      .createQueryBuilder('r')
      .innerJoin('Script', 's', 's.id = r.scriptId')
      .innerJoin('Environment', 'e', 'e.id = r.environmentId')
      .select('s.name', 'scriptName')
      .addSelect('e.name', 'environment')
      .addSelect('r.id', 'id')
      .addSelect('r.workspaceId', 'workspaceId')
      .addSelect('r.environmentId', 'environmentId')
      .addSelect('r.scriptId', 'scriptId')
      .addSelect('r.scriptSlug', 'scriptSlug')
      .addSelect('r.version', 'version')
      .addSelect('r.interface', 'interface')
      .addSelect('r.startedByUserId', 'startedByUserId')
      .addSelect('r.credentialType', 'credentialType')
      .addSelect('r.credentialName', 'credentialName')
      .addSelect('r.startedAt', 'startedAt')
      .addSelect('r.test', 'test')
      .addSelect('r.plan', 'plan')
      .addSelect('r.labels', 'labels')
      .addSelect('r.runsOn', 'runsOn')
      .where(`r.phase = 'queued' AND r.runsOn IS NOT NULL AND r.unplaceableSince IS NULL`)
      .andWhere(`NOT ${isCarried('r.runs_on')}`)
      .limit(count)
      .setLock('pessimistic_write', undefined, ['r'])
      .setOnLocked('skip_locked')
      .getRawMany<UnplaceableRun>();
  }

  async mark(runs: readonly UnplaceableRun[]): Promise<void> {
    await this.runs.update({ id: Any(runs.map(({ id }) => id)) }, { unplaceableSince: NOW });
  }

  /** Takes back what is not so any more. */
  async unmark(): Promise<void> {
    await this.runs
      .createQueryBuilder()
      .update()
      .set({ unplaceableSince: null })
      .where(`${IS_TAGGED} AND unplaceable_since IS NOT NULL AND ${isCarried('runs_on')}`)
      .execute();
  }

  countUnplaceable(): Promise<number> {
    return countSome(this.runs.createQueryBuilder().where(`${IS_TAGGED} AND unplaceable_since IS NOT NULL`));
  }
}
