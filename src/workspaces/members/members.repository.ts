import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { User } from '../../auth/index.js';
import type { Role } from '../../core/access/index.js';
import { columns, Database, insertIfAbsent, type RowOf } from '../../core/database/index.js';
import { Membership } from './membership.entity.js';

const MEMBER = columns(Membership, 'm', 'id', 'userId', 'role', 'joinedAt');
const PERSON = columns(User, 'u', 'name', 'email');

export type MemberRow = RowOf<typeof MEMBER> & RowOf<typeof PERSON>;

@Injectable()
export class MembersRepository {
  constructor(
    @InjectRepository(Membership) private readonly memberships: Repository<Membership>,
    private readonly database: Database,
  ) {}

  /** Changes of who is in a workspace take turns. False: it is deleted. */
  async lockWorkspace(workspaceId: string): Promise<boolean> {
    return (await this.database.execute(LOCK_WORKSPACE, [workspaceId])).count === 1;
  }

  list(workspaceId: string, after: string | null, count: number): Promise<MemberRow[]> {
    return this.database.query<MemberRow>(LIST, [workspaceId, after, count]);
  }

  find(workspaceId: string, id: string): Promise<MemberRow | null> {
    return this.database.one<MemberRow>(FIND, [workspaceId, id]);
  }

  findPerson(workspaceId: string, userId: string): Promise<MemberRow | null> {
    return this.database.one<MemberRow>(FIND_PERSON, [workspaceId, userId]);
  }

  /** The ids of those of the workspaces that are there, by slug, locked as `lockWorkspace` does it. */
  lockNamed(slugs: readonly string[]): Promise<{ id: string; slug: string }[]> {
    return this.database.query(LOCK_NAMED, [slugs]);
  }

  async roleOf(workspaceId: string, userId: string): Promise<Role | null> {
    const membership = await this.memberships.findOneBy({ workspaceId, userId });
    return membership?.role ?? null;
  }

  async includesAddress(workspaceId: string, email: string): Promise<boolean> {
    return (await this.database.one(FIND_ADDRESS, [workspaceId, email])) !== null;
  }

  countOwners(workspaceId: string): Promise<number> {
    return this.memberships.countBy({ workspaceId, role: 'owner' });
  }

  /** False: the person is a member already. */
  insert(membership: Omit<Membership, 'joinedAt'>): Promise<boolean> {
    return insertIfAbsent(this.memberships, membership);
  }

  async setRole(id: string, role: Role): Promise<void> {
    await this.memberships.update({ id }, { role });
  }

  async delete(id: string): Promise<void> {
    await this.memberships.delete({ id });
  }

  /** To be called wherever somebody has become an owner or is none any more. */
  async settleOwner(workspaceId: string): Promise<void> {
    await this.database.execute(SETTLE_OWNER, [workspaceId]);
  }

  /** Nobody else makes this person an owner until the surrounding transaction ends. */
  async lockPerson(userId: string): Promise<void> {
    await this.database.execute(LOCK_PERSON, [userId]);
  }

  async countOwned(userId: string): Promise<number> {
    return (await this.database.one<{ count: number }>(COUNT_OWNED, [userId]))!.count;
  }
}

const LOCK_WORKSPACE = 'SELECT FROM workspaces WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE';

/** Ids sort by creation. */
const SETTLE_OWNER = `
  UPDATE workspaces SET owner_user_id =
    (SELECT user_id FROM memberships WHERE workspace_id = $1 AND role = 'owner' ORDER BY id LIMIT 1)
  WHERE id = $1`;

const LOCK_PERSON = 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE';

const COUNT_OWNED = `
  SELECT count(*)::int AS count FROM memberships m JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
  WHERE m.user_id = $1 AND m.role = 'owner'`;

const LOCK_NAMED = `
  SELECT id, slug FROM workspaces WHERE slug = ANY ($1::text[]) AND deleted_at IS NULL
  ORDER BY id FOR NO KEY UPDATE`;

const SELECT = `SELECT ${MEMBER}, ${PERSON} FROM memberships m JOIN users u ON u.id = m.user_id`;

const LIST = `${SELECT} WHERE m.workspace_id = $1 AND m.id < coalesce($2, '~') ORDER BY m.id DESC LIMIT $3`;

const FIND = `${SELECT} WHERE m.workspace_id = $1 AND m.id = $2`;

const FIND_PERSON = `${SELECT} WHERE m.workspace_id = $1 AND m.user_id = $2`;

const FIND_ADDRESS = `
  SELECT FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1 AND u.email = $2`;
