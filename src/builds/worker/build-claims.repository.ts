import { Injectable } from '@nestjs/common';

import { fairClaim } from '../../core/work/fair-claim.sql.js';
import { type Claimed, type Places, claimedOf } from '../../core/work/fair-share.js';
import { Database } from '../../core/database/database.js';
import type { BuildRecipe } from '../build-recipe.js';

/** A build that this worker has taken. */
export interface ClaimedBuild {
  id: string;
  /** Counts how often it was taken; later writes name it, so that a worker that lost it writes nothing. */
  claim: number;
  recipe: BuildRecipe;
  archiveKey: string;
}

export type BuildEnd =
  | { status: 'succeeded'; log: string; depsKey: string; depsBytes: number }
  /** Without an error it was the worker that failed. */
  | { status: 'failed'; log: string; error: string | null };

/** A worker's side of a build. */
@Injectable()
export class BuildClaimsRepository {
  constructor(private readonly database: Database) {}

  /** Says what this worker builds for. */
  async announce(workerId: string, runtime: string): Promise<void> {
    await this.database.execute('UPDATE instances SET runtime = $2 WHERE id = $1', [workerId, runtime]);
  }

  /** Takes builds, fairly between workspaces. */
  async claim(workerId: string, { room, share }: Places, runtime: string): Promise<Claimed<ClaimedBuild>> {
    return claimedOf(await this.database.query(CLAIM, [workerId, room, runtime, share]));
  }

  /** Those that are still ours. */
  renew(claims: Pick<ClaimedBuild, 'id' | 'claim'>[]): Promise<{ id: string }[]> {
    return this.database.query<{ id: string }>(
      `UPDATE builds b SET lease_until = now() + interval '20 seconds'
       FROM unnest($1::text[], $2::int[]) AS mine(id, claim)
       WHERE b.id = mine.id AND b.claim = mine.claim AND b.status = 'running' RETURNING b.id`,
      [claims.map(({ id }) => id), claims.map(({ claim }) => claim)],
    );
  }

  /** Gives it back, to be begun anew by another worker. */
  async release({ id, claim }: Pick<ClaimedBuild, 'id' | 'claim'>): Promise<void> {
    await this.database.execute(
      `UPDATE builds SET status = 'queued', worker_id = NULL, lease_until = NULL, started_at = NULL
       WHERE id = $1 AND claim = $2 AND status = 'running'`,
      [id, claim],
    );
  }

  /** Writes nothing where it is not ours any more. */
  async finish({ id, claim }: Pick<ClaimedBuild, 'id' | 'claim'>, end: BuildEnd): Promise<void> {
    const succeeded = end.status === 'succeeded';
    await this.database.execute(FINISH, [
      id,
      claim,
      end.status,
      end.log,
      succeeded ? null : end.error,
      succeeded ? end.depsKey : null,
      succeeded ? end.depsBytes : null,
    ]);
  }
}

const PICKED = fairClaim(
  {
    table: 'builds',
    columns: ['id'],
    waits: `status = 'queued' AND runtime = $3`,
    taken: `status = 'running'`,
  },
  { worker: '$1', room: '$2::int', share: '$4' },
);

const CLAIM = `
  WITH RECURSIVE ${PICKED}, taken AS (
    UPDATE builds SET status = 'running', claim = claim + 1, worker_id = $1,
      lease_until = now() + interval '20 seconds', started_at = now()
    WHERE id IN (SELECT id FROM picked)
    RETURNING id, claim, recipe, archive_key AS "archiveKey"
  )
  SELECT claim_summary.*, taken.* FROM claim_summary LEFT JOIN taken ON true`;

const FINISH = `
  WITH done AS (
    UPDATE builds SET status = $3, log = $4, error = $5, deps_key = $6, deps_bytes = $7, finished_at = now(),
      worker_id = NULL, lease_until = NULL
    WHERE id = $1 AND claim = $2 AND status = 'running'
    RETURNING id
  )
  SELECT pg_notify('gatehouse', 'build:' || id) FROM done`;
