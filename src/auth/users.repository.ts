import { Injectable } from '@nestjs/common';

import type { Role } from '../core/access/roles.js';
import { Database } from '../core/database/database.js';

export interface UserRow {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
}

export interface WorkspaceOfUser {
  id: string;
  name: string;
  slug: string;
  role: Role;
}

@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  /** False: the address has an account already. */
  async insert({ id, email, name, passwordHash }: UserRow): Promise<boolean> {
    const { count } = await this.database.execute(
      `INSERT INTO users (id, email, name, password_hash) VALUES ($1, $2, $3, $4)
       ON CONFLICT ON CONSTRAINT users_email_key DO NOTHING`,
      [id, email, name, passwordHash],
    );
    return count === 1;
  }

  findByEmail(email: string): Promise<UserRow | null> {
    return this.database.one<UserRow>(`${USER} WHERE email = $1`, [email]);
  }

  find(id: string): Promise<UserRow | null> {
    return this.database.one<UserRow>(`${USER} WHERE id = $1`, [id]);
  }

  /** False: the password is not `previous` any more. */
  async replacePassword(id: string, previous: string, next: string): Promise<boolean> {
    const { count } = await this.database.execute(
      'UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2',
      [id, previous, next],
    );
    return count === 1;
  }

  /** Whoever else wants to change how this person signs in waits for the end of this transaction. */
  async lock(id: string): Promise<void> {
    await this.database.execute('SELECT FROM users WHERE id = $1 FOR UPDATE', [id]);
  }

  async setPassword(id: string, passwordHash: string): Promise<void> {
    await this.database.execute('UPDATE users SET password_hash = $2 WHERE id = $1', [id, passwordHash]);
  }

  workspacesOf(userId: string): Promise<WorkspaceOfUser[]> {
    return this.database.query<WorkspaceOfUser>(`${WORKSPACES} WHERE m.user_id = $1 ORDER BY w.slug`, [
      userId,
    ]);
  }

  /** Those in which a personal access token may act. */
  workspacesOfToken(tokenId: string): Promise<WorkspaceOfUser[]> {
    return this.database.query<WorkspaceOfUser>(
      `${WORKSPACES} JOIN personal_tokens t ON t.user_id = m.user_id
       WHERE t.id = $1 AND (t.workspace_ids IS NULL OR w.id = ANY (t.workspace_ids)) ORDER BY w.slug`,
      [tokenId],
    );
  }
}

const USER = 'SELECT id, email, name, password_hash AS "passwordHash" FROM users';

const WORKSPACES = `
  SELECT w.id, w.name, w.slug, m.role
  FROM memberships m JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL`;
