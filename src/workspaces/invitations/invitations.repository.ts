import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ArrayContains, IsNull, type Repository, type UpdateQueryBuilder } from 'typeorm';

import { User } from '../../auth/index.js';
import { inSeconds, insertedIfAbsent, newestFirst, NOW, returnedRow } from '../../core/database/index.js';
import { deleteOldest, type Expired, Expires } from '../../core/work/index.js';
import { canBeAccepted } from './invitations.sql.js';
import { Invitation } from './invitation.entity.js';

type NewInvitation = Pick<
  Invitation,
  'id' | 'workspaceId' | 'email' | 'role' | 'teamIds' | 'tokenHash' | 'invitedBy' | 'mailed' | 'grantId'
>;
export type InvitationRow = Pick<Invitation, 'id' | 'email' | 'role' | 'teamIds' | 'expiresAt' | 'createdAt'>;

/** An invitation as its link shows it. */
export type OfferedInvitation = Invitation &
  Required<Pick<Invitation, 'workspace' | 'inviter'>> & {
    /** The account of the address, if there is one. */
    userId: User['id'] | null;
  };

/** After an invitation could last be accepted. */
const KEPT_MS = 30 * 86_400_000;
const DAY_SECONDS = 86_400;

const UNANSWERED = { acceptedAt: IsNull(), declinedAt: IsNull() };

@Injectable()
export class InvitationsRepository {
  constructor(@InjectRepository(Invitation) private readonly invitations: Repository<Invitation>) {}

  list(workspaceId: string, after: string | null, count: number): Promise<Invitation[]> {
    const open = this.invitations
      .createQueryBuilder('invitation')
      .where({ workspaceId, ...UNANSWERED })
      .andWhere(canBeAccepted('invitation'));
    return newestFirst(open, after, count).getMany();
  }

  /** One that nobody can accept any more would stand in the way of a new one to the same address. */
  async deleteClosed(workspaceId: string, email: string): Promise<void> {
    await this.invitations
      .createQueryBuilder()
      .delete()
      .where({ workspaceId, email, ...UNANSWERED })
      .andWhere(`NOT ${canBeAccepted('invitations')}`)
      .execute();
  }

  /** null: there is an open one to this address. */
  async insert(invitation: NewInvitation, days: number): Promise<InvitationRow | null> {
    const row = { ...invitation, expiresAt: inSeconds(days * DAY_SECONDS) };
    const made = await insertedIfAbsent(this.invitations, row, 'expiresAt', 'createdAt');
    return made && { ...invitation, ...made };
  }

  /** The address, or null: there is no such open invitation. */
  async delete(workspaceId: string, id: string): Promise<string | null> {
    const deletion = this.invitations
      .createQueryBuilder()
      .delete()
      .where({ workspaceId, id, ...UNANSWERED })
      .andWhere(canBeAccepted('invitations'));
    return (await returnedRow(deletion, 'email'))?.email ?? null;
  }

  /** Whether one to this address is open, in whichever workspace. */
  isInvited(email: string): Promise<boolean> {
    return this.invitations
      .createQueryBuilder('i')
      .innerJoin('i.workspace', 'w', 'w.deletedAt IS NULL')
      .where({ email, ...UNANSWERED })
      .andWhere(canBeAccepted('i'))
      .getExists();
  }

  async findOpen(tokenHash: Buffer): Promise<OfferedInvitation | null> {
    const { entities, raw } = await this.invitations
      .createQueryBuilder('i')
      .innerJoinAndSelect('i.workspace', 'w', 'w.deletedAt IS NULL')
      .leftJoinAndSelect('i.inviter', 'inviter')
      .leftJoin(User, 'account', 'account.email = i.email')
      .addSelect('account.id', 'userId')
      .where({ tokenHash, ...UNANSWERED })
      .andWhere(canBeAccepted('i'))
      .getRawAndEntities<Pick<OfferedInvitation, 'userId'>>();
    return entities[0] ? ({ ...entities[0], userId: raw[0]!.userId } as OfferedInvitation) : null;
  }

  /** What accepting it brings, once. null: it is not open any more. */
  accept(id: string): Promise<Pick<Invitation, 'role' | 'teamIds'> | null> {
    return returnedRow(this.reply(id, { acceptedAt: NOW }), 'role', 'teamIds');
  }

  /** False: it is not open any more. */
  async decline(id: string): Promise<boolean> {
    return (await this.reply(id, { declinedAt: NOW }).execute()).affected === 1;
  }

  /** Those that bring somebody into the team, locked until the transaction ends. */
  async lockNaming(workspaceId: string, teamId: string): Promise<void> {
    await this.invitations.find({
      select: { id: true },
      where: { workspaceId, teamIds: ArrayContains([teamId]), ...UNANSWERED },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  async removeTeam(workspaceId: string, teamId: string): Promise<void> {
    await this.invitations
      .createQueryBuilder()
      .update()
      .set({ teamIds: () => 'array_remove(team_ids, :teamId)' })
      .where({ workspaceId, teamIds: ArrayContains([teamId]), ...UNANSWERED })
      .setParameters({ teamId })
      .execute();
  }

  @Expires({ after: KEPT_MS })
  deleteOld(expired: Expired): Promise<number> {
    return deleteOldest(this.invitations, 'expiresAt', expired);
  }

  private reply(
    id: string,
    moment: { acceptedAt: () => string } | { declinedAt: () => string },
  ): UpdateQueryBuilder<Invitation> {
    return this.invitations
      .createQueryBuilder()
      .update()
      .set(moment)
      .where({ id, ...UNANSWERED })
      .andWhere(canBeAccepted('invitations'));
  }
}
