import { Injectable, type OnModuleInit } from '@nestjs/common';

import { Database } from '../../core/database/index.js';
import { type TeamUse, TeamUses } from '../teams/team-uses.js';

/** The teams that people join who accept an invitation. */
@Injectable()
export class InvitedTeams implements TeamUse, OnModuleInit {
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

const NAMING = `
  workspace_id = $1 AND accepted_at IS NULL AND declined_at IS NULL AND team_ids @> ARRAY[$2::text]`;

const LOCK = `SELECT FROM invitations WHERE ${NAMING} ORDER BY id FOR UPDATE`;

const REMOVE_TEAM = `UPDATE invitations SET team_ids = array_remove(team_ids, $2) WHERE ${NAMING}`;
