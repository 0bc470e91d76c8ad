import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Database } from '../core/database/index.js';
import { type TeamUse, TeamUses } from '../workspaces/index.js';

/** The teams with which scripts are shared. A script whose last team is deleted stays shared with teams, and has none. */
@Injectable()
export class ScriptTeams implements TeamUse, OnModuleInit {
  constructor(
    private readonly uses: TeamUses,
    private readonly database: Database,
  ) {}

  onModuleInit(): void {
    this.uses.register(this);
  }

  async lock(workspaceId: string, teamId: string): Promise<void> {
    await this.database.execute(LOCK, [workspaceId, teamId]);
  }

  async removeTeam(workspaceId: string, teamId: string): Promise<void> {
    await this.database.execute(REMOVE_TEAM, [workspaceId, teamId]);
  }
}

const SHARED = `workspace_id = $1 AND access = 'teams' AND team_ids @> ARRAY[$2::text]`;

const LOCK = `SELECT FROM scripts WHERE ${SHARED} ORDER BY id FOR UPDATE`;

const REMOVE_TEAM = `UPDATE scripts SET team_ids = array_remove(team_ids, $2) WHERE ${SHARED}`;
