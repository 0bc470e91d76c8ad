import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, Not, type Repository } from 'typeorm';

import { newId } from '../core/crypto/index.js';
import { Database, insertedIfAbsent, withinSeconds } from '../core/database/index.js';
import { Expires, InstanceEntry } from '../core/work/index.js';
import { Build } from './build.entity.js';
import { MOST_LOSSES } from './build.status.js';
import { type BuildRow, FIND_CONTENT, LOST_FOR_MINUTES, SHOWN, SWEEP } from './builds.sql.js';

type WantedBuild = Pick<Build, 'workspaceId' | 'contentKey' | 'runtime' | 'recipe' | 'archiveKey'>;

/** Two may want the same build at once: whoever fails to insert it looks again for the other's, so often at most. */
const ATTEMPTS = 5;

/** Builds as those see them who ask for one and wait for it. */
@Injectable()
export class BuildsRepository {
  constructor(
    @InjectRepository(Build) private readonly builds: Repository<Build>,
    private readonly database: Database,
  ) {}

  /** The build of this content, which is queued where there was none or it had failed by itself. */
  async findOrQueue(wanted: WantedBuild): Promise<BuildRow> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const known = await this.database.one<BuildRow>(FIND_CONTENT, [wanted.workspaceId, wanted.contentKey]);
      if (known) return known;
      const made = await insertedIfAbsent(this.builds, { ...wanted, id: newId('build') }, ...SHOWN);
      if (made) return made;
    }
    throw new Error('A build could neither be found nor made');
  }

  find(id: string): Promise<BuildRow | null> {
    return this.builds.findOneBy({ id });
  }

  async sourcesAmong(archiveKeys: readonly string[]): Promise<Set<string>> {
    const where = { archiveKey: Any([...archiveKeys]) };
    const found = await this.builds.find({ select: { id: true, archiveKey: true }, where });
    return new Set(found.map(({ archiveKey }) => archiveKey));
  }

  /** What most of the workers that live build for, or null where none does. */
  async commonRuntime(): Promise<string | null> {
    const row = await this.builds.manager
      .createQueryBuilder(InstanceEntry, 'i')
      .select('i.runtime', 'runtime')
      .where({ runtime: Not(IsNull()), seenAt: withinSeconds(60) })
      .groupBy('i.runtime')
      .orderBy('count(*)', 'DESC')
      .addOrderBy('i.runtime')
      .limit(1)
      .getRawOne<{ runtime: string }>();
    return row?.runtime ?? null;
  }

  /** Deletes a build whose result the file store has lost, so that it is made again. */
  async discard(id: string): Promise<void> {
    await this.builds.delete({ id, status: 'succeeded' });
  }

  /** Builds whose workers are no more: back into the queue, or ended where that happened too often. */
  async sweepAbandoned(): Promise<void> {
    await this.database.execute(SWEEP, [
      MOST_LOSSES,
      `the worker was lost during the installation, ${MOST_LOSSES} times; it is not tried again for ${LOST_FOR_MINUTES} minutes`,
    ]);
  }

  /** Nobody waits any more for what failed an hour ago, or found no worker for a day. */
  @Expires()
  async forgetUnwanted(): Promise<number> {
    const { affected } = await this.builds
      .createQueryBuilder()
      .delete()
      .where(`status = 'failed' AND finishedAt < now() - interval '1 hour'`)
      .orWhere(`status = 'queued' AND createdAt < now() - interval '1 day'`)
      .execute();
    return affected!;
  }
}
