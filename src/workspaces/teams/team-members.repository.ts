import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import type { Role } from '../../core/access/index.js';
import { Database, insertIfAbsent } from '../../core/database/index.js';
import { TeamMember } from './team-member.entity.js';

export interface NamedTeam {
  id: string;
  name: string;
  includes: boolean;
}

@Injectable()
export class TeamMembersRepository {
  constructor(
    @InjectRepository(TeamMember) private readonly members: Repository<TeamMember>,
    private readonly database: Database,
  ) {}

  /** The role of a person in the workspace, who neither leaves nor changes it before the transaction ends. */
  async holdRole(workspaceId: string, userId: string): Promise<Role | null> {
    return (await this.database.one<{ role: Role }>(HOLD_ROLE, [workspaceId, userId]))?.role ?? null;
  }

  /** False: the person is in it already. */
  add(teamId: string, userId: string): Promise<boolean> {
    return insertIfAbsent(this.members, { teamId, userId });
  }

  /** False: the person is not in it. */
  async remove(teamId: string, userId: string): Promise<boolean> {
    return (await this.members.delete({ teamId, userId })).affected === 1;
  }

  /** The teams of these names, but for the default one, kept from being deleted, and whether the person is in each. */
  named(workspaceId: string, names: readonly string[], userId: string): Promise<NamedTeam[]> {
    return this.database.query<NamedTeam>(NAMED, [workspaceId, names, userId]);
  }

  /** Teams that are being deleted are waited for and passed over. */
  async addToEach(workspaceId: string, teamIds: readonly string[], userId: string): Promise<void> {
    await this.database.execute(ADD_TO_EACH, [workspaceId, teamIds, userId]);
  }

  async addToDefault(workspaceId: string, userId: string): Promise<void> {
    await this.database.execute(ADD_TO_DEFAULT, [workspaceId, userId]);
  }

  async removeFromDefault(workspaceId: string, userId: string): Promise<void> {
    await this.database.execute(`${REMOVE} AND t.is_default`, [workspaceId, userId]);
  }

  async removeFromAll(workspaceId: string, userId: string): Promise<void> {
    await this.database.execute(REMOVE, [workspaceId, userId]);
  }
}

const HOLD_ROLE = 'SELECT role FROM memberships WHERE workspace_id = $1 AND user_id = $2 FOR SHARE';

const NAMED = `
  SELECT held.id, held.name,
    EXISTS (SELECT FROM team_members tm WHERE tm.team_id = held.id AND tm.user_id = $3) AS includes
  FROM (
    SELECT id, name FROM teams WHERE workspace_id = $1 AND name = ANY ($2::text[]) AND NOT is_default
    ORDER BY id FOR KEY SHARE) AS held`;

const ADD_TO_EACH = `
  INSERT INTO team_members (team_id, user_id)
  SELECT held.id, $3 FROM (
    SELECT id FROM teams WHERE workspace_id = $1 AND id = ANY($2::text[]) ORDER BY id FOR KEY SHARE) AS held
  ON CONFLICT DO NOTHING`;

const ADD_TO_DEFAULT = `
  INSERT INTO team_members (team_id, user_id) SELECT id, $2 FROM teams WHERE workspace_id = $1 AND is_default
  ON CONFLICT DO NOTHING`;

const REMOVE = `
  DELETE FROM team_members tm USING teams t
  WHERE t.workspace_id = $1 AND tm.team_id = t.id AND tm.user_id = $2`;
