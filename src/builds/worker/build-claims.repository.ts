import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { arraysOf, Database } from '../../core/database/index.js';
import { type Claimed, claimedOf, type Places } from '../../core/work/index.js';
import { Build } from '../build.entity.js';
import { CLAIM, type ClaimedBuild, FINISH, RENEW } from './build-claims.sql.js';

export type BuildEnd =
  | { status: 'succeeded'; log: string; depsKey: string; depsBytes: number }
  /** Without an error it was the worker that failed. */
  | { status: 'failed'; log: string; error: string | null };

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
    return this.database.query<Pick<Build, 'id'>>(RENEW, arraysOf(claims, 'id', 'claim'));
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
