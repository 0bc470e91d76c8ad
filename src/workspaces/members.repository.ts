import { Injectable } from '@nestjs/common';

import type { Role } from '../core/access/roles.js';
import { Database } from '../core/database/database.js';

export interface MemberRow {
  id: string;
  userId: string;
  name: string;
  email: string;
  role: Role;
  joinedAt: Date;
}

export interface InvitationRow {
  id: string;
  email: string;
  role: Role | null;
  teamIds: string[];
  expiresAt: Date;
  createdAt: Date;
}

@Injectable()
export class MembersRepository {
  constructor(private readonly database: Database) {}

  list(workspaceId: string, after: string | null, count: number): Promise<MemberRow[]> {
    return this.database.query<MemberRow>(
      `SELECT m.id, m.user_id AS "userId", u.name, u.email, m.role, m.joined_at AS "joinedAt"
       FROM memberships m JOIN users u ON u.id = m.user_id
       WHERE m.workspace_id = $1 AND m.id < coalesce($2, '~') ORDER BY m.id DESC LIMIT $3`,
      [workspaceId, after, count],
    );
  }

  /** Those that can still be accepted. */
  listInvitations(workspaceId: string, after: string | null, count: number): Promise<InvitationRow[]> {
    return this.database.query<InvitationRow>(
      `SELECT id, email, role, team_ids AS "teamIds", expires_at AS "expiresAt", created_at AS "createdAt"
       FROM invitations
       WHERE workspace_id = $1 AND accepted_at IS NULL AND declined_at IS NULL AND expires_at > now()
         AND id < coalesce($2, '~')
       ORDER BY id DESC LIMIT $3`,
      [workspaceId, after, count],
    );
  }
}
