import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Expires, LEASE_IS_LOST } from '../core/work/index.js';
import { newId } from '../core/crypto/index.js';
import { columns, Database, type RowOf } from '../core/database/index.js';
import { Build } from './build.entity.js';
import { MOST_LOSSES } from './build.status.js';

const BUILD = columns(Build, 'b', 'id', 'status', 'log', 'error', 'depsKey', 'depsBytes');

export type BuildRow = RowOf<typeof BUILD>;
export type WantedBuild = Pick<Build, 'workspaceId' | 'contentKey' | 'runtime' | 'recipe' | 'archiveKey'>;

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
      const made = await this.database.one<BuildRow>(QUEUE, [
        newId('build'),
        wanted.workspaceId,
        wanted.contentKey,
        wanted.runtime,
        JSON.stringify(wanted.recipe),
        wanted.archiveKey,
      ]);
      if (made) return made;
    }
    throw new Error('A build could neither be found nor made');
  }

  find(id: string): Promise<BuildRow | null> {
    return this.builds.findOneBy({ id });
  }

  /** What most of the workers that live build for, or null where none does. */
  async commonRuntime(): Promise<string | null> {
    const row = await this.database.one<{ runtime: string }>(COMMON_RUNTIME);
    return row?.runtime ?? null;
  }

  /** Deletes a build whose result the file store has lost, so that it is made again. */
  async discard(id: string): Promise<void> {
    await this.builds.delete({ id, status: 'succeeded' });
  }

  /** Builds whose workers are no more: back into the queue, or ended where that happened too often. */
  async sweepAbandoned(): Promise<number> {
    const { count } = await this.database.execute(SWEEP, [
      MOST_LOSSES,
      `the worker was lost during the installation, ${MOST_LOSSES} times; it is not tried again for ${LOST_FOR_MINUTES} minutes`,
    ]);
    return count;
  }

  /** Nobody waits any more for what failed an hour ago, or found no worker for a day. */
  @Expires()
  async forgetUnwanted(): Promise<number> {
    return (await this.database.execute(FORGET_UNWANTED)).count;
  }
}

const COMMON_RUNTIME = `
  SELECT runtime FROM instances WHERE runtime IS NOT NULL AND seen_at > now() - interval '1 minute'
  GROUP BY runtime ORDER BY count(*) DESC, runtime LIMIT 1`;

const FORGET_UNWANTED = `
  DELETE FROM builds WHERE status = 'failed' AND finished_at < now() - interval '1 hour'
    OR status = 'queued' AND created_at < now() - interval '1 day'`;

/** How long a build that ended workers is not tried again, so that a client that repeats its request ends no more of them. */
const LOST_FOR_MINUTES = 10;

const FIND_CONTENT = `
  (SELECT ${BUILD} FROM builds b WHERE b.workspace_id = $1 AND b.content_key = $2 AND b.status <> 'failed')
  UNION ALL
  (SELECT ${BUILD} FROM builds b
   WHERE b.workspace_id = $1 AND b.content_key = $2 AND b.status = 'failed' AND b.losses >= ${MOST_LOSSES}
     AND b.finished_at > now() - interval '${LOST_FOR_MINUTES} minutes')
  LIMIT 1`;

const QUEUE = `
  INSERT INTO builds AS b (id, workspace_id, content_key, runtime, recipe, archive_key) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (workspace_id, content_key) WHERE status <> 'failed' DO NOTHING
  RETURNING ${BUILD}`;

const SWEEP = `
  WITH swept AS (
    UPDATE builds SET worker_id = NULL, lease_until = NULL, losses = losses + 1,
      status = CASE WHEN losses + 1 < $1 THEN 'queued' ELSE 'failed' END,
      error = CASE WHEN losses + 1 < $1 THEN NULL ELSE $2 END,
      finished_at = CASE WHEN losses + 1 < $1 THEN NULL ELSE now() END
    WHERE id IN (SELECT id FROM builds WHERE status = 'running' AND ${LEASE_IS_LOST}
                 LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING id
  )
  SELECT pg_notify('gatehouse', 'build:' || id) FROM swept`;
