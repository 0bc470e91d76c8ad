import { Injectable } from '@nestjs/common';

import type { Role } from '../../core/access/roles.js';
import { Database } from '../../core/database/database.js';

export interface InvitationRow {
  id: string;
  email: string;
  role: Role | null;
  teamIds: string[];
  expiresAt: Date;
  createdAt: Date;
}

export interface NewInvitationRow {
  id: string;
  workspaceId: string;
  email: string;
  role: Role | null;
  teamIds: readonly string[];
  tokenHash: Buffer;
  invitedBy: string | null;
  days: number;
}

/** An invitation as its link shows it. */
export interface OfferedInvitationRow extends InvitationRow {
  workspaceId: string;
  workspaceName: string;
  invitedBy: string | null;
  /** The account of the address, if there is one. */
  userId: string | null;
}

@Injectable()
export class InvitationsRepository {
  constructor(private readonly database: Database) {}

  list(workspaceId: string, after: string | null, count: number): Promise<InvitationRow[]> {
    return this.database.query<InvitationRow>(
      `SELECT ${RECORD} FROM invitations i
       WHERE i.workspace_id = $1 AND ${OPEN} AND i.id < coalesce($2, '~') ORDER BY i.id DESC LIMIT $3`,
      [workspaceId, after, count],
    );
  }

  /** An expired one would stand in the way of a new one to the same address. */
  async deleteExpired(workspaceId: string, email: string): Promise<void> {
    await this.database.execute(
      `DELETE FROM invitations
       WHERE workspace_id = $1 AND email = $2 AND accepted_at IS NULL AND declined_at IS NULL AND expires_at <= now()`,
      [workspaceId, email],
    );
  }

  /** null: there is an open one to this address. */
  insert(invitation: NewInvitationRow): Promise<InvitationRow | null> {
    const { id, workspaceId, email, role, teamIds, tokenHash, invitedBy, days } = invitation;
    return this.database.one<InvitationRow>(
      `INSERT INTO invitations AS i
         (id, workspace_id, email, role, team_ids, token_hash, invited_by, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8::integer * interval '1 day')
       ON CONFLICT (workspace_id, email) WHERE accepted_at IS NULL AND declined_at IS NULL DO NOTHING
       RETURNING ${RECORD}`,
      [id, workspaceId, email, role, teamIds, tokenHash, invitedBy, days],
    );
  }

  /** The address, or null: there is no such open invitation. */
  async delete(workspaceId: string, id: string): Promise<string | null> {
    const row = await this.database.one<{ email: string }>(
      `DELETE FROM invitations i WHERE i.workspace_id = $1 AND i.id = $2 AND ${OPEN} RETURNING i.email`,
      [workspaceId, id],
    );
    return row?.email ?? null;
  }

  findOpen(tokenHash: Buffer): Promise<OfferedInvitationRow | null> {
    return this.database.one<OfferedInvitationRow>(
      `SELECT ${RECORD}, i.workspace_id AS "workspaceId", w.name AS "workspaceName", inviter.name AS "invitedBy",
         invited.id AS "userId"
       FROM invitations i
         JOIN workspaces w ON w.id = i.workspace_id AND w.deleted_at IS NULL
         LEFT JOIN users inviter ON inviter.id = i.invited_by
         LEFT JOIN users invited ON invited.email = i.email
       WHERE i.token_hash = $1 AND ${OPEN}`,
      [tokenHash],
    );
  }

  /** What accepting it brings, once. null: it is not open any more. */
  accept(id: string): Promise<{ role: Role | null; teamIds: string[] } | null> {
    return this.database.one<{ role: Role | null; teamIds: string[] }>(
      `UPDATE invitations i SET accepted_at = now() WHERE i.id = $1 AND ${OPEN}
       RETURNING i.role, i.team_ids AS "teamIds"`,
      [id],
    );
  }

  /** False: it is not open any more. */
  async decline(id: string): Promise<boolean> {
    const { count } = await this.database.execute(
      `UPDATE invitations i SET declined_at = now() WHERE i.id = $1 AND ${OPEN}`,
      [id],
    );
    return count === 1;
  }
}

const RECORD = `
  i.id, i.email, i.role, i.team_ids AS "teamIds", i.expires_at AS "expiresAt", i.created_at AS "createdAt"`;

/** It can still be accepted. */
const OPEN = 'i.accepted_at IS NULL AND i.declined_at IS NULL AND i.expires_at > now()';
