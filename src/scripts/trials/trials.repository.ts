import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type QueryDeepPartialEntity, type Repository, type SelectQueryBuilder } from 'typeorm';

import { scriptVisibleTo } from '../../core/access/index.js';
import { isAhead, NOW } from '../../core/database/index.js';
import type { ScriptViewer } from '../script-viewer.js';
import { ScriptVersion } from '../versions/script-version.entity.js';
import type { NewVersion } from '../versions/versions.repository.js';

type NewTrial = Omit<NewVersion, 'number' | 'readme' | 'message'>;

/** Until when a trial can be run, from its making on. */
const RUNNABLE_FOR = "now() + interval '1 day'";
/** Whoever has read that it can be run may still be about to write the run. */
const GONE_AFTER = "now() - interval '10 minutes'";

/** Trials are versions without a number: all else about their runs is the same. */
@Injectable()
export class TrialsRepository {
  constructor(@InjectRepository(ScriptVersion) private readonly versions: Repository<ScriptVersion>) {}

  async insert(trial: NewTrial): Promise<void> {
    const row = { ...trial, number: null, readme: null, trialUntil: () => RUNNABLE_FOR };
    await this.versions.insert(row as QueryDeepPartialEntity<ScriptVersion>);
  }

  /** Of one person's trials of a script, or of all of API keys, those beyond the newest can be run no more. */
  async expireAllBut(count: number, scriptId: string, userId: string | null): Promise<void> {
    const own = { scriptId, trialUntil: isAhead() };
    const found = await this.versions
      .createQueryBuilder('v')
      .select('v.id')
      .where(own)
      .andWhere('v.createdByUserId IS NOT DISTINCT FROM :userId', { userId })
      .orderBy('v.id', 'DESC')
      .offset(count)
      .getMany();
    if (found.length === 0) return;
    await this.versions.update({ id: Any(found.map(({ id }) => id)) }, { trialUntil: NOW });
  }

  /** One that can be run still. */
  find(viewer: ScriptViewer, slug: string, id: string): Promise<ScriptVersion | null> {
    return this.visibleTo(viewer)
      .leftJoinAndSelect('v.createdBy', 'u')
      .andWhere('s.slug = :slug AND v.id = :id', { slug, id })
      .getOne();
  }

  findById(viewer: ScriptViewer, id: string): Promise<ScriptVersion | null> {
    return this.visibleTo(viewer)
      .leftJoinAndSelect('v.createdBy', 'u')
      .andWhere('v.id = :id', { id })
      .getOne();
  }

  /** Those that nobody can run any more, and that no run needs which has not ended. */
  gone(most: number): Promise<Pick<ScriptVersion, 'id' | 'archiveKey'>[]> {
    return (
      this.versions
        .createQueryBuilder('v')
        .select(['v.id', 'v.archiveKey'])
        .innerJoin('v.script', 's')
        .where(`v.trialUntil < ${GONE_AFTER}`)
        // Of the runs of a workspace that have not ended there are few, and an index of them.
        .andWhere(
          `NOT EXISTS (SELECT FROM runs r WHERE r.workspace_id = s.workspace_id
           AND r.status IN ('awaiting_approval', 'running') AND r.version_id = v.id)`,
        )
        .orderBy('v.trialUntil')
        .limit(most)
        .getMany()
    );
  }

  async delete(ids: readonly string[]): Promise<void> {
    await this.versions.delete({ id: Any([...ids]) });
  }

  private visibleTo(viewer: ScriptViewer): SelectQueryBuilder<ScriptVersion> {
    return this.versions
      .createQueryBuilder('v')
      .innerJoin('v.script', 's')
      .where('s.workspaceId = :workspaceId', { workspaceId: viewer.workspaceId })
      .andWhere('v.trialUntil > now()')
      .andWhere(...scriptVisibleTo('s', viewer));
  }
}
