import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Database } from '../core/database/database.js';
import type { UsedScript, UseViewer } from '../scripts/index.js';
import { type Follower, FOLLOWERS, IS_ON_RUNS } from './followers.sql.js';
import { Trigger } from './trigger.entity.js';

@Injectable()
export class FollowersRepository {
  constructor(
    @InjectRepository(Trigger) private readonly triggers: Repository<Trigger>,
    private readonly database: Database,
  ) {}

  /** Whether any trigger of a workspace is on runs: most have none, and this is told by the index alone. */
  exist(workspaceId: string): Promise<boolean> {
    return this.triggers.createQueryBuilder('t').where({ workspaceId }).andWhere(IS_ON_RUNS).getExists();
  }

  /** Triggers on runs, of other scripts that the viewer may see, whose author may see this one. */
  of({ id, workspaceId }: UsedScript, { role, userId, environmentId }: UseViewer): Promise<Follower[]> {
    return this.database.query<Follower>(FOLLOWERS, [workspaceId, id, role, userId, environmentId]);
  }
}
