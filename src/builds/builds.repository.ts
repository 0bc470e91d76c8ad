import { Injectable } from '@nestjs/common';

import { Expires } from '../core/work/expires.decorator.js';
import { LEASE_IS_LOST } from '../core/work/lease-clock.js';
import { newId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import type { BuildRecipe } from './build-recipe.js';
import { type BuildStatus, MOST_LOSSES } from './build.status.js';

export interface BuildRow {
  id: string;
  status: BuildStatus;
  log: string;
  error: string | null;
  depsKey: string | null;
  depsBytes: number | null;
}

export interface WantedBuild {
  workspaceId: string;
  contentKey: string;
  runtime: string;
  recipe: BuildRecipe;
  archiveKey: string;
}

/** How often two who want the same at the same moment look again for the other's. */
const ATTEMPTS = 5;

/** The side of a build that asks for it and waits. */
@Injectable()
export class BuildsRepository {
  constructor(private readonly database: Database) {}

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
    return this.database.one<BuildRow>(`SELECT ${COLUMNS} FROM builds WHERE id = $1`, [id]);
  }

  /** What most of the workers that live build for, or null where none does. */
  async commonRuntime(): Promise<string | null> {
    const row = await this.database.one<{ runtime: string }>(
      `SELECT runtime FROM instances WHERE runtime IS NOT NULL AND seen_at > now() - interval '1 minute'
       GROUP BY runtime ORDER BY count(*) DESC, runtime LIMIT 1`,
    );
    return row?.runtime ?? null;
  }

  /** A build that is known to have lost what it made is as good as none. */
  async discard(id: string): Promise<void> {
    await this.database.execute(`DELETE FROM builds WHERE id = $1 AND status = 'succeeded'`, [id]);
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
    const { count } = await this.database.execute(
      `DELETE FROM builds WHERE status = 'failed' AND finished_at < now() - interval '1 hour'
         OR status = 'queued' AND created_at < now() - interval '1 day'`,
    );
    return count;
  }
}

const COLUMNS = 'id, status, log, error, deps_key AS "depsKey", deps_bytes AS "depsBytes"';

/** How long one that workers were lost with is not tried again, so that a client that repeats its request ends no more of them. */
const LOST_FOR_MINUTES = 10;

const FIND_CONTENT = `
  (SELECT ${COLUMNS} FROM builds WHERE workspace_id = $1 AND content_key = $2 AND status <> 'failed')
  UNION ALL
  (SELECT ${COLUMNS} FROM builds WHERE workspace_id = $1 AND content_key = $2 AND status = 'failed' AND losses >= ${MOST_LOSSES}
     AND finished_at > now() - interval '${LOST_FOR_MINUTES} minutes')
  LIMIT 1`;

const QUEUE = `
  INSERT INTO builds (id, workspace_id, content_key, runtime, recipe, archive_key) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (workspace_id, content_key) WHERE status <> 'failed' DO NOTHING
  RETURNING ${COLUMNS}`;

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
