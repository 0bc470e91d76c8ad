import { Injectable, type OnModuleInit } from '@nestjs/common';

import { type TeamUse, TeamDeletionHooks } from '../workspaces/index.js';
import { ScriptsRepository } from './scripts.repository.js';

/** The teams with which scripts are shared. A script whose last team is deleted stays shared with teams, and has none. */
@Injectable()
export class ScriptTeamRemoval implements TeamUse, OnModuleInit {
  constructor(
    private readonly uses: TeamDeletionHooks,
    private readonly scripts: ScriptsRepository,
  ) {}

  onModuleInit(): void {
    this.uses.register(this);
  }

  lock(workspaceId: string, teamId: string): Promise<void> {
    return this.scripts.lockShared(workspaceId, teamId);
  }

  removeTeam(workspaceId: string, teamId: string): Promise<void> {
    return this.scripts.removeTeam(workspaceId, teamId);
  }
}
