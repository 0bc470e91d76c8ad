import { Injectable } from '@nestjs/common';

import { type AuditAction, type AuditActor, AuditTrail } from '../../audit/index.js';
import { AgentGrantsService } from '../../auth/index.js';
import {
  type Caller,
  type Person,
  type Role,
  roleReaches,
  type WorkspaceCaller,
} from '../../core/access/index.js';
import { isId, newId } from '../../core/crypto/index.js';
import { Database, keysetPage, type Page, type PageRequest } from '../../core/database/index.js';
import { Conflict, Forbidden, NotFound } from '../../core/errors/index.js';
import { Outbox } from '../../core/outbox/index.js';
import { UsageService } from '../../usage/index.js';
import { TeamMembersRepository } from '../teams/team-members.repository.js';
import { assertMayChange, assertMayGive, assertOwnerStays } from './member-rules.js';
import type { MemberDto } from './member.dto.js';
import { type Member, MembersRepository } from './members.repository.js';
import { OwnershipService } from './ownership.service.js';

interface NewMember {
  workspaceId: string;
  person: Person;
  role: Role;
  /** Teams of the workspace; those that are gone by now are passed over. All but guests join the default team as well. */
  teamIds: readonly string[];
}

/** What others are told of a member. */
interface ToldMember {
  id: string;
  userId: string;
  email: string;
  role: Role;
}

type MemberEvent = 'joined' | 'removed' | 'role_changed';

/** Who is in a workspace, and with which role. */
@Injectable()
export class MembersService {
  constructor(
    private readonly members: MembersRepository,
    private readonly teamMembers: TeamMembersRepository,
    private readonly ownership: OwnershipService,
    private readonly grants: AgentGrantsService,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    private readonly usage: UsageService,
    private readonly database: Database,
  ) {}

  list(workspaceId: string, request: PageRequest): Promise<Page<MemberDto>> {
    const fetch = (after: string | null, count: number) => this.members.list(workspaceId, after, count);
    return keysetPage(request, { list: 'members', filters: { workspaceId } }, fetch, present);
  }

  async get({ workspace }: WorkspaceCaller, memberId: string): Promise<MemberDto> {
    return present(await this.find(workspace.id, memberId));
  }

  /**
   * @throws Forbidden where an owner is involved and the caller is none; Conflict for the last owner; QuotaExceeded where the
   * person owns as many workspaces as one may
   */
  changeRole(caller: WorkspaceCaller, memberId: string, role: Role): Promise<MemberDto> {
    const { id: workspaceId } = caller.workspace;
    return this.database.transaction(async () => {
      await this.lock(workspaceId);
      const member = await this.find(workspaceId, memberId);
      const previousRole = member.role;
      assertMayChange(caller.role, [previousRole, role]);
      if (role === previousRole) {
        if (role === 'owner') await this.takeOver(caller, member);
        return present(member);
      }
      assertMayGive(caller, role, 'member.role.change');
      assertOwnerStays(previousRole, role, await this.members.hasOtherOwner(workspaceId, member.userId));
      await this.assertStillMayChange(caller, [previousRole, role]);
      if (role === 'owner') await this.ownership.assertMayOwnOneMore(member.userId, 'this person');
      return present(await this.giveRole(workspaceId, member, role, caller));
    });
  }

  /** To be called in a transaction that holds the workspace's lock, once it is settled that the role may be changed. */
  async giveRole(workspaceId: string, member: Member, role: Role, by: Caller | AuditActor): Promise<Member> {
    const { id, userId, role: previousRole } = member;
    await this.members.setRole(id, role);
    if (previousRole === 'owner' || role === 'owner') await this.settleOwner(workspaceId, userId, by);
    await this.moveInDefaultTeam(workspaceId, userId, previousRole, role);
    const changed = { ...member, role };
    const told = toldOf(changed);
    await this.record(workspaceId, by, 'member.role_changed', told, { previousRole });
    await this.tell(workspaceId, 'role_changed', told, { previousRole });
    return changed;
  }

  /**
   * Takes somebody out of the workspace. Everybody may end their own membership.
   *
   * @throws Forbidden where the caller may not; Conflict for the last owner
   */
  remove(caller: WorkspaceCaller, memberId: string): Promise<void> {
    const { id: workspaceId } = caller.workspace;
    return this.database.transaction(async () => {
      await this.lock(workspaceId);
      const found = isId('membership', memberId) ? await this.members.find(workspaceId, memberId) : null;
      const leaves = found !== null && found.userId === caller.person?.id;
      if (!leaves && !roleReaches(caller.role, 'admin')) {
        throw new Forbidden(
          `This needs the role admin in the workspace; this credential acts as ${caller.role}. Only one's own membership can be ended by everybody.`,
        );
      }
      if (!found) throw new NotFound('member');
      if (!leaves) assertMayChange(caller.role, [found.role]);
      assertOwnerStays(found.role, null, await this.members.hasOtherOwner(workspaceId, found.userId));
      if (!leaves) await this.assertStillMayChange(caller, [found.role]);
      await this.takeOut(workspaceId, found, caller, leaves ? 'member.left' : 'member.removed');
    });
  }

  /** To be called in a transaction that holds the workspace's lock, once it is settled that the member goes. */
  async takeOut(
    workspaceId: string,
    member: Member,
    by: Caller | AuditActor,
    action: 'member.left' | 'member.removed',
  ): Promise<void> {
    // The membership first: whoever is putting the person into a team at this moment holds a lock on it.
    await this.members.delete(member.id);
    if (member.role === 'owner') await this.settleOwner(workspaceId, member.userId, by);
    await this.teamMembers.removeFromAll(workspaceId, member.userId);
    await this.grants.revokeOf(member.userId, workspaceId);
    await this.record(workspaceId, by, action, toldOf(member));
    await this.tell(workspaceId, 'removed', toldOf(member));
  }

  /**
   * Makes a person a member. To be called in a transaction that holds the workspace's lock.
   *
   * @throws QuotaExceeded when the plan allows no more; Conflict when the person is one already
   */
  async admit(
    { workspaceId, person, role, teamIds }: NewMember,
    by: Caller | AuditActor,
    details: Record<string, unknown>,
  ): Promise<void> {
    await this.usage.assertRoom(workspaceId, 'members');
    const { id: userId, email } = person;
    const id = newId('membership');
    const member = { id, userId, email, role };
    if (!(await this.members.insert({ id, workspaceId, userId, role }))) {
      throw new Conflict('You are a member of this workspace already.');
    }
    if (role === 'owner') await this.members.settleOwner(workspaceId);
    if (role !== 'guest') await this.teamMembers.addToDefault(workspaceId, userId);
    await this.teamMembers.addToEach(workspaceId, teamIds, userId);
    await this.record(workspaceId, by, 'member.joined', member, details);
    await this.tell(workspaceId, 'joined', member);
  }

  /** To be called in the transaction that makes the workspace, which names its owner already. */
  async addFirstOwner(workspaceId: string, userId: string): Promise<void> {
    await this.members.insert({ id: newId('membership'), workspaceId, userId, role: 'owner' });
  }

  /**
   * From here to the end of the surrounding transaction nobody else changes who is in the workspace.
   *
   * @throws NotFound when the workspace was deleted meanwhile
   */
  async lock(workspaceId: string): Promise<void> {
    if (!(await this.members.lockWorkspace(workspaceId))) throw new NotFound('workspace');
  }

  /** Whether the account of an address is a member's. */
  includesAddress(workspaceId: string, email: string): Promise<boolean> {
    return this.members.includesAddress(workspaceId, email);
  }

  /** An owner who says of themselves that they are one lets the workspace count for them. */
  private async takeOver(caller: WorkspaceCaller, { id, userId }: Member): Promise<void> {
    if (userId !== caller.person?.id || caller.scopes !== null) return;
    await this.members.accept(id);
    await this.members.settleOwner(caller.workspace.id);
  }

  /**
   * Somebody has become an owner, or is none any more. Whoever takes that from the one whom the workspace counts for has it
   * count for themselves: nobody is left with the load of those who sent them away.
   */
  private async settleOwner(workspaceId: string, userId: string, by: Caller | AuditActor): Promise<void> {
    const changer = 'person' in by ? by.person?.id : null;
    if (changer && changer !== userId && (await this.members.countsFor(workspaceId, userId))) {
      await this.members.acceptAs(workspaceId, changer);
    }
    await this.members.settleOwner(workspaceId);
  }

  private async find(workspaceId: string, memberId: string): Promise<Member> {
    const row = isId('membership', memberId) ? await this.members.find(workspaceId, memberId) : null;
    if (!row) throw new NotFound('member');
    return row;
  }

  /** The caller's own role may have been changed while this waited for its turn. */
  private async assertStillMayChange(caller: WorkspaceCaller, involved: readonly Role[]): Promise<void> {
    if (!caller.person) return;
    const role = await this.members.roleOf(caller.workspace.id, caller.person.id);
    if (role === null) throw new Forbidden('You are not a member of this workspace any more.');
    assertMayChange(role, involved);
  }

  private async moveInDefaultTeam(
    workspaceId: string,
    userId: string,
    before: Role,
    after: Role,
  ): Promise<void> {
    if (after === 'guest') await this.teamMembers.removeFromDefault(workspaceId, userId);
    else if (before === 'guest') await this.teamMembers.addToDefault(workspaceId, userId);
  }

  private record(
    workspaceId: string,
    by: Caller | AuditActor,
    action: AuditAction,
    { id, userId, email, role }: ToldMember,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    const target = { type: 'member', id };
    return this.audit.record(workspaceId, by, action, target, { userId, email, role, ...details });
  }

  private tell(
    workspaceId: string,
    what: MemberEvent,
    { userId, email, role }: ToldMember,
    more: Record<string, unknown> = {},
  ): Promise<void> {
    const data = { userId, email, role, ...more };
    return this.outbox.add({ workspaceId, environmentId: null, type: `workspace.member.${what}`, data });
  }
}

function toldOf({ id, userId, role, user }: Member): ToldMember {
  return { id, userId, email: user.email, role };
}

function present({ id, userId, role, joinedAt, user: { name, email } }: Member): MemberDto {
  return { id, userId, name, email, role, joinedAt: joinedAt.toISOString() };
}
