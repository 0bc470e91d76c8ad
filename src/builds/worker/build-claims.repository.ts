import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { type Claimed, claimedOf, fairClaim, LEASE, type Places } from '../../core/work/index.js';
import { columns, Database, named, type RowOf } from '../../core/database/index.js';
import { Build } from '../build.entity.js';

const CLAIMED = columns(Build, 'b', 'id', 'claim', 'recipe', 'archiveKey');

/** A build that this worker has taken. */
export type ClaimedBuild = RowOf<typeof CLAIMED>;

export type BuildEnd =
  | { status: 'succeeded'; log: string; depsKey: string; depsBytes: number }
  /** Without an error it was the worker that failed. */
  | { status: 'failed'; log: string; error: string | null };

/** A worker's side of a build. */
@Injectable()
export class BuildClaimsRepository {
  constructor(
    @InjectRepository(Build) private readonly builds: Repository<Build>,
    private readonly database: Database,
  ) {}

  /** Takes builds, fairly between workspaces. */
  async claim(workerId: string, { room, share }: Places, runtime: string): Promise<Claimed<ClaimedBuild>> {
    return claimedOf(await this.database.query(CLAIM, [workerId, room, runtime, share]));
  }

  /** Those that are still ours. */
  renew(claims: Pick<ClaimedBuild, 'id' | 'claim'>[]): Promise<Pick<Build, 'id'>[]> {
    return this.database.query<Pick<Build, 'id'>>(RENEW, [
      claims.map(({ id }) => id),
      claims.map(({ claim }) => claim),
    ]);
  }

  /** Gives it back, to be begun anew by another worker. */
  async release({ id, claim }: Pick<ClaimedBuild, 'id' | 'claim'>): Promise<void> {
    const waiting = { status: 'queued', workerId: null, leaseUntil: null, startedAt: null } as const;
    await this.builds.update({ id, claim, status: 'running' }, waiting);
  }

  /** Writes nothing where it is not ours any more. */
  async finish({ id, claim }: Pick<ClaimedBuild, 'id' | 'claim'>, end: BuildEnd): Promise<void> {
    const succeeded = end.status === 'succeeded';
    await this.database.execute(
      ...FINISH({
        id,
        claim,
        status: end.status,
        log: end.log,
        error: succeeded ? null : end.error,
        depsKey: succeeded ? end.depsKey : null,
        depsBytes: succeeded ? end.depsBytes : null,
      }),
    );
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
    UPDATE builds b SET status = 'running', claim = claim + 1, worker_id = $1,
      lease_until = now() + ${LEASE}, started_at = now()
    WHERE id IN (SELECT id FROM picked)
    RETURNING ${CLAIMED}
  )
  SELECT claim_summary.*, taken.* FROM claim_summary LEFT JOIN taken ON true`;

const RENEW = `
  UPDATE builds b SET lease_until = now() + ${LEASE}
  FROM unnest($1::text[], $2::int[]) AS mine(id, claim)
  WHERE b.id = mine.id AND b.claim = mine.claim AND b.status = 'running' RETURNING b.id`;

type Ending = Pick<Build, 'id' | 'claim' | 'status' | 'log' | 'error' | 'depsKey' | 'depsBytes'>;

const FINISH = named<Ending>(`
  WITH done AS (
    UPDATE builds SET status = :status, log = :log, error = :error, deps_key = :depsKey, deps_bytes = :depsBytes,
      finished_at = now(), worker_id = NULL, lease_until = NULL
    WHERE id = :id AND claim = :claim AND status = 'running'
    RETURNING id
  )
  SELECT pg_notify('gatehouse', 'build:' || id) FROM done`);
