import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, Not, type Repository, type SelectQueryBuilder } from 'typeorm';

import { User } from '../../auth/index.js';
import type { Role } from '../../core/access/index.js';
import { insertIfAbsent, newestFirst } from '../../core/database/index.js';
import { Workspace } from '../workspace.entity.js';
import { Membership } from '../membership.entity.js';
import { LONGEST_OWNER } from './members.sql.js';

/** A membership with its person. */
export type Member = Membership & Required<Pick<Membership, 'user'>>;
type NewMembership = Pick<Membership, 'id' | 'workspaceId' | 'userId' | 'role'>;

const LOCK = { mode: 'for_no_key_update' } as const;

@Injectable()
export class MembersRepository {
  constructor(
    @InjectRepository(Membership) private readonly memberships: Repository<Membership>,
    @InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>,
  ) {}

  /** Changes of who is in a workspace take turns. False: it is deleted. */
  async lockWorkspace(workspaceId: string): Promise<boolean> {
    const where = { id: workspaceId, deletedAt: IsNull() };
    return (await this.workspaces.findOne({ select: { id: true }, where, lock: LOCK })) !== null;
  }

  async list(workspaceId: string, after: string | null, count: number): Promise<Member[]> {
    const query = this.members().where({ workspaceId });
    return (await newestFirst(query, after, count).getMany()) as Member[];
  }

  async find(workspaceId: string, id: string): Promise<Member | null> {
    return (await this.members().where({ workspaceId, id }).getOne()) as Member | null;
  }

  async findPerson(workspaceId: string, userId: string): Promise<Member | null> {
    return (await this.members().where({ workspaceId, userId }).getOne()) as Member | null;
  }

  /** The slugs of the workspaces that somebody is in. */
  async slugsOf(userId: string): Promise<string[]> {
    const memberships = await this.memberships.find({
      select: { id: true, workspace: { id: true, slug: true } },
      relations: { workspace: true },
      where: { userId, workspace: { deletedAt: IsNull() } },
    });
    return memberships.map(({ workspace }) => workspace!.slug);
  }

  /** The addresses of who owns the workspaces that somebody is in. */
  async ownersAround(userId: string): Promise<string[]> {
    const owners = await this.memberships
      .createQueryBuilder('m')
      .innerJoin('m.user', 'u')
      .innerJoin('m.workspace', 'w', 'w.deletedAt IS NULL')
      .innerJoin(Membership, 'own', 'own.workspaceId = m.workspaceId AND own.userId = :userId', { userId })
      .where({ role: 'owner' })
      .select('DISTINCT u.email', 'email')
      .getRawMany<{ email: string }>();
    return owners.map(({ email }) => email);
  }

  /** The ids of those of the workspaces that are there, by slug, locked as `lockWorkspace` does it. */
  lockNamed(slugs: readonly string[]): Promise<Pick<Workspace, 'id' | 'slug'>[]> {
    return this.workspaces.find({
      select: { id: true, slug: true },
      where: { slug: Any([...slugs]), deletedAt: IsNull() },
      order: { id: 'ASC' },
      lock: LOCK,
    });
  }

  async roleOf(workspaceId: string, userId: string): Promise<Role | null> {
    const membership = await this.memberships.findOneBy({ workspaceId, userId });
    return membership?.role ?? null;
  }

  includesAddress(workspaceId: string, email: string): Promise<boolean> {
    return this.members().where({ workspaceId }).andWhere('u.email = :email', { email }).getExists();
  }

  /** Whether somebody else owns it who can sign in. */
  hasOtherOwner(workspaceId: string, userId: string): Promise<boolean> {
    return this.memberships.existsBy({
      workspaceId,
      role: 'owner',
      userId: Not(userId),
      user: { disabledAt: IsNull() },
    });
  }

  /** False: the person is a member already. */
  insert(membership: NewMembership): Promise<boolean> {
    return insertIfAbsent(this.memberships, membership);
  }

  /** Somebody who is made an owner has not said yet that the workspace may count for them. */
  async setRole(id: string, role: Role): Promise<void> {
    await this.memberships.update({ id }, { role, acceptsOwnership: role !== 'owner' });
  }

  async accept(id: string): Promise<void> {
    await this.memberships.update({ id }, { acceptsOwnership: true });
  }

  async acceptAs(workspaceId: string, userId: string): Promise<void> {
    await this.memberships.update({ workspaceId, userId, role: 'owner' }, { acceptsOwnership: true });
  }

  countsFor(workspaceId: string, ownerUserId: string): Promise<boolean> {
    return this.workspaces.existsBy({ id: workspaceId, ownerUserId });
  }

  async delete(id: string): Promise<void> {
    await this.memberships.delete({ id });
  }

  /** To be called wherever somebody has become an owner or is none any more. */
  async settleOwner(workspaceId: string): Promise<void> {
    await this.workspaces.update({ id: workspaceId }, { ownerUserId: () => LONGEST_OWNER });
  }

  /** Nobody else makes this person an owner until the surrounding transaction ends. */
  async lockPerson(id: string): Promise<void> {
    await this.memberships.manager.findOne(User, { select: { id: true }, where: { id }, lock: LOCK });
  }

  countOwned(userId: string): Promise<number> {
    return this.ownedBy(userId).getCount();
  }

  ownsAny(userId: string): Promise<boolean> {
    return this.ownedBy(userId).getExists();
  }

  private members(): SelectQueryBuilder<Membership> {
    return this.memberships
      .createQueryBuilder('m')
      .innerJoin('m.user', 'u')
      .addSelect(['u.id', 'u.name', 'u.email']);
  }

  private ownedBy(userId: string): SelectQueryBuilder<Membership> {
    return this.memberships
      .createQueryBuilder('m')
      .innerJoin('m.workspace', 'w', 'w.deletedAt IS NULL')
      .where({ userId, role: 'owner' });
  }
}
