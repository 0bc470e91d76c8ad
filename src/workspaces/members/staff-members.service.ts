import { Injectable } from '@nestjs/common';

import type { AuditActor } from '../../audit/index.js';
import { AccountDisablingService, type EndedCredentials } from '../../auth/index.js';
import { AccessLossHooks, type Person } from '../../core/access/index.js';
import { Database } from '../../core/database/index.js';
import { Conflict, NotFound } from '../../core/errors/index.js';
import { MembersRepository } from './members.repository.js';
import { MembersService } from './members.service.js';
import { OwnershipService } from './ownership.service.js';

interface DisabledPerson extends EndedCredentials {
  /** The slugs of the workspaces that the person was in. */
  workspaces: string[];
}

interface DisablingOptions {
  /** What becomes of workspaces whose last owner it is: it is refused, or they keep their owner, who cannot sign in. */
  lastOwner?: 'refuse' | 'keep';
  /** The company's directory that wants it. */
  way?: string;
}

/** What the operator, or a company's directory, changes of who is in workspaces. */
@Injectable()
export class StaffMembersService {
  constructor(
    private readonly rows: MembersRepository,
    private readonly members: MembersService,
    private readonly ownership: OwnershipService,
    private readonly accounts: AccountDisablingService,
    private readonly losses: AccessLossHooks,
    private readonly database: Database,
  ) {}

  /**
   * Makes somebody an owner, who need not have been a member.
   *
   * @returns false where the person is one already
   * @throws NotFound; QuotaExceeded where the plan allows no more members, or the person owns as many workspaces as one may
   */
  makeOwner(slug: string, person: Person, by: AuditActor): Promise<boolean> {
    return this.database.transaction(async () => {
      const [workspace] = await this.rows.lockNamed([slug]);
      if (!workspace) throw new NotFound('workspace');
      const { id: workspaceId } = workspace;
      const member = await this.rows.findPerson(workspaceId, person.id);
      if (member?.role === 'owner') return false;
      await this.ownership.assertMayOwnOneMore(person.id, 'this person');
      if (member) await this.members.giveRole(workspaceId, member, 'owner', by);
      else await this.members.admit({ workspaceId, person, role: 'owner', teamIds: [] }, by, {});
      return true;
    });
  }

  /** Of who owns the workspaces that somebody is in. */
  ownerAddresses(userId: string): Promise<string[]> {
    return this.rows.ownersAround(userId);
  }

  /**
   * Disables an account, and takes its person out of every workspace as a removal does: so all that acts for them ends.
   *
   * @returns null where it is disabled already
   * @throws Conflict where a workspace would have no owner any more
   */
  disable(
    person: Person,
    by: AuditActor,
    { lastOwner = 'refuse', way }: DisablingOptions = {},
  ): Promise<DisabledPerson | null> {
    return this.database.transaction(async () => {
      // Workspaces first: whoever signs in at a provider locks in this order too.
      const workspaces = await this.rows.lockNamed(await this.rows.slugsOf(person.id));
      const ended = await this.accounts.disable(person.id, by, way);
      if (ended === null) return null;
      const orphaned: { id: string; slug: string }[] = [];
      for (const { id, slug } of workspaces) {
        const member = await this.rows.findPerson(id, person.id);
        if (!member) continue;
        if (member.role === 'owner' && !(await this.rows.hasOtherOwner(id, person.id)))
          orphaned.push({ id, slug });
        else await this.members.takeOut(id, member, by, 'member.removed');
      }
      if (orphaned.length > 0 && lastOwner === 'refuse') {
        const slugs = orphaned.map(({ slug }) => slug).join(', ');
        throw new Conflict(
          `${person.email} is the last owner of ${slugs}. Make somebody else an owner first.`,
        );
      }
      // Nobody has been taken out there, and still nothing is to run in their name.
      const members = orphaned.map(({ id }) => ({ workspaceId: id, userId: person.id }));
      if (members.length > 0) await this.losses.report({ members });
      return { workspaces: workspaces.map(({ slug }) => slug), ...ended };
    });
  }
}
