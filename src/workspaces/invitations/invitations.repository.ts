import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';

import type { User } from '../../auth/index.js';
import { columns, type RowOf } from '../../core/database/columns.js';
import { Database } from '../../core/database/database.js';
import { newestFirst } from '../../core/database/keyset.js';
import { isAhead, isPast, NOW } from '../../core/database/moments.js';
import type { Workspace } from '../workspace.entity.js';
import { Invitation } from './invitation.entity.js';

export type NewInvitation = Pick<
  Invitation,
  'id' | 'workspaceId' | 'email' | 'role' | 'teamIds' | 'tokenHash' | 'invitedBy'
>;

const RECORD = columns(Invitation, 'i', 'id', 'email', 'role', 'teamIds', 'expiresAt', 'createdAt');
const OFFER = columns(Invitation, 'i', 'id', 'workspaceId', 'email', 'role', 'expiresAt');
const ACCEPTED = columns(Invitation, 'i', 'role', 'teamIds');
const ADDRESS = columns(Invitation, 'i', 'email');

export type InvitationRow = RowOf<typeof RECORD>;

/** An invitation as its link shows it. */
export interface OfferedInvitation extends RowOf<typeof OFFER> {
  workspaceName: Workspace['name'];
  inviterName: User['name'] | null;
  /** The account of the address, if there is one. */
  userId: User['id'] | null;
}

@Injectable()
export class InvitationsRepository {
  constructor(
    @InjectRepository(Invitation) private readonly invitations: Repository<Invitation>,
    private readonly database: Database,
  ) {}

  list(workspaceId: string, after: string | null, count: number): Promise<Invitation[]> {
    const open = this.invitations
      .createQueryBuilder('invitation')
      .where({ workspaceId, acceptedAt: IsNull(), declinedAt: IsNull(), expiresAt: isAhead() });
    return newestFirst(open, after, count).getMany();
  }

  /** An expired one would stand in the way of a new one to the same address. */
  async deleteExpired(workspaceId: string, email: string): Promise<void> {
    await this.invitations.delete({
      workspaceId,
      email,
      acceptedAt: IsNull(),
      declinedAt: IsNull(),
      expiresAt: isPast(),
    });
  }

  /** null: there is an open one to this address. */
  insert(invitation: NewInvitation, days: number): Promise<InvitationRow | null> {
    const { id, workspaceId, email, role, teamIds, tokenHash, invitedBy } = invitation;
    const parameters = [id, workspaceId, email, role, teamIds, tokenHash, invitedBy, days];
    return this.database.one<InvitationRow>(INSERT, parameters);
  }

  /** The address, or null: there is no such open invitation. */
  async delete(workspaceId: string, id: string): Promise<string | null> {
    const row = await this.database.one<RowOf<typeof ADDRESS>>(DELETE, [workspaceId, id]);
    return row?.email ?? null;
  }

  findOpen(tokenHash: Buffer): Promise<OfferedInvitation | null> {
    return this.database.one<OfferedInvitation>(FIND_OPEN, [tokenHash]);
  }

  /** What accepting it brings, once. null: it is not open any more. */
  accept(id: string): Promise<RowOf<typeof ACCEPTED> | null> {
    return this.database.one<RowOf<typeof ACCEPTED>>(ACCEPT, [id]);
  }

  /** False: it is not open any more. */
  async decline(id: string): Promise<boolean> {
    const open = { id, acceptedAt: IsNull(), declinedAt: IsNull(), expiresAt: isAhead() };
    return (await this.invitations.update(open, { declinedAt: NOW })).affected === 1;
  }
}

/** It can still be accepted. */
const OPEN = 'i.accepted_at IS NULL AND i.declined_at IS NULL AND i.expires_at > now()';

const INSERT = `
  INSERT INTO invitations AS i (id, workspace_id, email, role, team_ids, token_hash, invited_by, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8::integer * interval '1 day')
  ON CONFLICT (workspace_id, email) WHERE accepted_at IS NULL AND declined_at IS NULL DO NOTHING
  RETURNING ${RECORD}`;

const DELETE = `
  DELETE FROM invitations i WHERE i.workspace_id = $1 AND i.id = $2 AND ${OPEN} RETURNING ${ADDRESS}`;

const FIND_OPEN = `
  SELECT ${OFFER}, w.name AS "workspaceName", inviter.name AS "inviterName", invited.id AS "userId"
  FROM invitations i
    JOIN workspaces w ON w.id = i.workspace_id AND w.deleted_at IS NULL
    LEFT JOIN users inviter ON inviter.id = i.invited_by
    LEFT JOIN users invited ON invited.email = i.email
  WHERE i.token_hash = $1 AND ${OPEN}`;

const ACCEPT = `UPDATE invitations i SET accepted_at = now() WHERE i.id = $1 AND ${OPEN} RETURNING ${ACCEPTED}`;
