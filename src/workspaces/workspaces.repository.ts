import { Injectable } from '@nestjs/common';

import { Database } from '../core/database/database.js';

export interface WorkspaceRow {
  id: string;
  name: string;
  slug: string;
}

@Injectable()
export class WorkspacesRepository {
  constructor(private readonly database: Database) {}

  /** False: the slug is taken. */
  async insert({ id, name, slug }: WorkspaceRow): Promise<boolean> {
    const { count } = await this.database.execute(
      `INSERT INTO workspaces (id, name, slug) VALUES ($1, $2, $3)
       ON CONFLICT (slug) WHERE deleted_at IS NULL DO NOTHING`,
      [id, name, slug],
    );
    return count === 1;
  }

  async insertOwner(membershipId: string, workspaceId: string, userId: string): Promise<void> {
    await this.database.execute(
      `INSERT INTO memberships (id, workspace_id, user_id, role) VALUES ($1, $2, $3, 'owner')`,
      [membershipId, workspaceId, userId],
    );
  }

  async insertDefaultTeam(
    teamId: string,
    workspaceId: string,
    name: string,
    memberId: string,
  ): Promise<void> {
    await this.database.execute(
      'INSERT INTO teams (id, workspace_id, name, is_default) VALUES ($1, $2, $3, true)',
      [teamId, workspaceId, name],
    );
    await this.database.execute('INSERT INTO team_members (team_id, user_id) VALUES ($1, $2)', [
      teamId,
      memberId,
    ]);
  }

  async ownsAny(userId: string): Promise<boolean> {
    const row = await this.database.one(
      `SELECT FROM memberships m JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
       WHERE m.user_id = $1 AND m.role = 'owner' LIMIT 1`,
      [userId],
    );
    return row !== null;
  }

  /** The name until now, locked: two renamings at once each tell what they replaced. null: it is deleted. */
  async lockName(id: string): Promise<string | null> {
    const row = await this.database.one<{ name: string }>(
      'SELECT name FROM workspaces WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
      [id],
    );
    return row?.name ?? null;
  }

  async rename(id: string, name: string): Promise<void> {
    await this.database.execute('UPDATE workspaces SET name = $2 WHERE id = $1', [id, name]);
  }

  /** False: it is deleted already. */
  async delete(id: string): Promise<boolean> {
    const { count } = await this.database.execute(
      'UPDATE workspaces SET deleted_at = now() WHERE id = $1 AND deleted_at IS NULL',
      [id],
    );
    return count === 1;
  }

  /** What was made for this workspace alone; a person's tokens work on elsewhere. */
  async revokeCredentials(id: string): Promise<void> {
    await this.database.execute(
      'UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1 AND revoked_at IS NULL',
      [id],
    );
    await this.database.execute(
      'UPDATE agent_grants SET revoked_at = now() WHERE workspace_id = $1 AND revoked_at IS NULL',
      [id],
    );
  }
}
