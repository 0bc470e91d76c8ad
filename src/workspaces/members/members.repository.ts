import { Injectable } from '@nestjs/common';

import type { Role } from '../../core/access/roles.js';
import { Database } from '../../core/database/database.js';

export interface MemberRow {
  id: string;
  userId: string;
  name: string;
  email: string;
  role: Role;
  joinedAt: Date;
}

@Injectable()
export class MembersRepository {
  constructor(private readonly database: Database) {}

  /** Changes of who is in a workspace take turns. False: it is deleted. */
  async lockWorkspace(workspaceId: string): Promise<boolean> {
    const { count } = await this.database.execute(
      'SELECT FROM workspaces WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
      [workspaceId],
    );
    return count === 1;
  }

  list(workspaceId: string, after: string | null, count: number): Promise<MemberRow[]> {
    return this.database.query<MemberRow>(
      `${SELECT} WHERE m.workspace_id = $1 AND m.id < coalesce($2, '~') ORDER BY m.id DESC LIMIT $3`,
      [workspaceId, after, count],
    );
  }

  find(workspaceId: string, id: string): Promise<MemberRow | null> {
    return this.database.one<MemberRow>(`${SELECT} WHERE m.workspace_id = $1 AND m.id = $2`, [
      workspaceId,
      id,
    ]);
  }

  async roleOf(workspaceId: string, userId: string): Promise<Role | null> {
    const row = await this.database.one<{ role: Role }>(
      'SELECT role FROM memberships WHERE workspace_id = $1 AND user_id = $2',
      [workspaceId, userId],
    );
    return row?.role ?? null;
  }

  async includesAddress(workspaceId: string, email: string): Promise<boolean> {
    const row = await this.database.one(
      'SELECT FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1 AND u.email = $2',
      [workspaceId, email],
    );
    return row !== null;
  }

  async countOwners(workspaceId: string): Promise<number> {
    const row = await this.database.one<{ owners: number }>(
      `SELECT count(*) AS owners FROM memberships WHERE workspace_id = $1 AND role = 'owner'`,
      [workspaceId],
    );
    return row!.owners;
  }

  /** False: the person is a member already. */
  async insert(id: string, workspaceId: string, userId: string, role: Role): Promise<boolean> {
    const { count } = await this.database.execute(
      `INSERT INTO memberships (id, workspace_id, user_id, role) VALUES ($1, $2, $3, $4)
       ON CONFLICT ON CONSTRAINT memberships_person_key DO NOTHING`,
      [id, workspaceId, userId, role],
    );
    return count === 1;
  }

  async setRole(id: string, role: Role): Promise<void> {
    await this.database.execute('UPDATE memberships SET role = $2 WHERE id = $1', [id, role]);
  }

  async delete(id: string): Promise<void> {
    await this.database.execute('DELETE FROM memberships WHERE id = $1', [id]);
  }
}

const SELECT = `
  SELECT m.id, m.user_id AS "userId", u.name, u.email, m.role, m.joined_at AS "joinedAt"
  FROM memberships m JOIN users u ON u.id = m.user_id`;
