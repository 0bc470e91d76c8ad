import { Injectable } from '@nestjs/common';

import type { Role } from '../../core/access/roles.js';
import { Database } from '../../core/database/database.js';

@Injectable()
export class TeamMembersRepository {
  constructor(private readonly database: Database) {}

  /** The role of a person in the workspace, who neither leaves nor changes it before the transaction ends. */
  async holdRole(workspaceId: string, userId: string): Promise<Role | null> {
    const row = await this.database.one<{ role: Role }>(
      'SELECT role FROM memberships WHERE workspace_id = $1 AND user_id = $2 FOR SHARE',
      [workspaceId, userId],
    );
    return row?.role ?? null;
  }

  /** False: the person is in it already. */
  async add(teamId: string, userId: string): Promise<boolean> {
    const { count } = await this.database.execute(
      'INSERT INTO team_members (team_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      [teamId, userId],
    );
    return count === 1;
  }

  /** False: the person is not in it. */
  async remove(teamId: string, userId: string): Promise<boolean> {
    const { count } = await this.database.execute(
      'DELETE FROM team_members WHERE team_id = $1 AND user_id = $2',
      [teamId, userId],
    );
    return count === 1;
  }

  /** Teams that are being deleted are waited for and passed over. */
  async addToEach(workspaceId: string, teamIds: readonly string[], userId: string): Promise<void> {
    await this.database.execute(ADD_TO_EACH, [workspaceId, teamIds, userId]);
  }

  async addToDefault(workspaceId: string, userId: string): Promise<void> {
    await this.database.execute(
      `INSERT INTO team_members (team_id, user_id) SELECT id, $2 FROM teams WHERE workspace_id = $1 AND is_default
       ON CONFLICT DO NOTHING`,
      [workspaceId, userId],
    );
  }

  async removeFromDefault(workspaceId: string, userId: string): Promise<void> {
    await this.database.execute(`${REMOVE} AND t.is_default`, [workspaceId, userId]);
  }

  async removeFromAll(workspaceId: string, userId: string): Promise<void> {
    await this.database.execute(REMOVE, [workspaceId, userId]);
  }
}

const ADD_TO_EACH = `
  INSERT INTO team_members (team_id, user_id)
  SELECT held.id, $3 FROM (
    SELECT id FROM teams WHERE workspace_id = $1 AND id = ANY($2::text[]) ORDER BY id FOR KEY SHARE) AS held
  ON CONFLICT DO NOTHING`;

const REMOVE = `
  DELETE FROM team_members tm USING teams t
  WHERE t.workspace_id = $1 AND tm.team_id = t.id AND tm.user_id = $2`;
