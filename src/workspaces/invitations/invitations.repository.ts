import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';

import type { User } from '../../auth/index.js';
import { columns, Database, newestFirst, type RowOf } from '../../core/database/index.js';
import type { Workspace } from '../workspace.entity.js';
import { Invitation } from './invitation.entity.js';

export type NewInvitation = Pick<
  Invitation,
  'id' | 'workspaceId' | 'email' | 'role' | 'teamIds' | 'tokenHash' | 'invitedBy' | 'mailed' | 'grantId'
>;

const RECORD = columns(Invitation, 'i', 'id', 'email', 'role', 'teamIds', 'expiresAt', 'createdAt');
const OFFER = columns(Invitation, 'i', 'id', 'workspaceId', 'email', 'role', 'mailed', 'expiresAt');
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
      .where({ workspaceId, acceptedAt: IsNull(), declinedAt: IsNull() })
      .andWhere(canBeAccepted('invitation'));
    return newestFirst(open, after, count).getMany();
  }

  /** One that nobody can accept any more would stand in the way of a new one to the same address. */
  async deleteClosed(workspaceId: string, email: string): Promise<void> {
    await this.database.execute(DELETE_CLOSED, [workspaceId, email]);
  }

  /** null: there is an open one to this address. */
  insert(invitation: NewInvitation, days: number): Promise<InvitationRow | null> {
    const { id, workspaceId, email, role, teamIds, tokenHash, invitedBy, mailed, grantId } = invitation;
    const made = [id, workspaceId, email, role, teamIds, tokenHash, invitedBy, mailed, grantId];
    return this.database.one<InvitationRow>(INSERT, [...made, days]);
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
    return (await this.database.execute(DECLINE, [id])).count === 1;
  }
}

/**
 * Its time has not passed, the app that asked for it may still act, and it was not made with an account before its person
 * had shown that the account is theirs.
 */
const canBeAccepted = (invitation: string): string => `(${invitation}.expires_at > now()
  AND NOT EXISTS (SELECT FROM agent_grants g WHERE g.id = ${invitation}.grant_id
    AND (g.revoked_at IS NOT NULL OR g.expires_at <= now()))
  AND NOT EXISTS (SELECT FROM users u WHERE u.id = ${invitation}.invited_by
    AND u.email_proven_at > ${invitation}.created_at))`;

const UNANSWERED = 'i.accepted_at IS NULL AND i.declined_at IS NULL';
const OPEN = `${UNANSWERED} AND ${canBeAccepted('i')}`;

const DELETE_CLOSED = `
  DELETE FROM invitations i WHERE i.workspace_id = $1 AND i.email = $2 AND ${UNANSWERED} AND NOT ${canBeAccepted('i')}`;

const INSERT = `
  INSERT INTO invitations AS i (id, workspace_id, email, role, team_ids, token_hash, invited_by, mailed, grant_id,
    expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10::integer * interval '1 day')
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

const DECLINE = `UPDATE invitations i SET declined_at = now() WHERE i.id = $1 AND ${OPEN}`;

const ACCEPT = `UPDATE invitations i SET accepted_at = now() WHERE i.id = $1 AND ${OPEN} RETURNING ${ACCEPTED}`;
