import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/index.js';
import type { UsedScript, UseViewer } from '../scripts/index.js';
import { ANY_ON_RUNS, type Follower, FOLLOWERS } from './followers.sql.js';

@Injectable()
export class FollowersRepository {
  constructor(private readonly database: Database) {}

  /** Whether any trigger of a workspace is on runs: most have none, and this is told by the index alone. */
  async exist(workspaceId: string): Promise<boolean> {
    return (await this.database.one<{ exist: boolean }>(ANY_ON_RUNS, [workspaceId]))!.exist;
  }

  /** Triggers on runs, of other scripts that the viewer may see, whose author may see this one. */
  of({ id, workspaceId }: UsedScript, { role, userId, environmentId }: UseViewer): Promise<Follower[]> {
    return this.database.query<Follower>(FOLLOWERS, [workspaceId, id, role, userId, environmentId]);
  }
}
