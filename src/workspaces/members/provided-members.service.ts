import { Injectable } from '@nestjs/common';

import { type AuditActor, SYSTEM } from '../../audit/index.js';
import { type Person, type Role, roleReaches } from '../../core/access/index.js';
import { ProvidedTeamsService } from '../teams/provided-teams.service.js';
import { type Member, MembersRepository } from './members.repository.js';
import { MembersService } from './members.service.js';

/** What a provider says of a person's place in one workspace. */
export interface ProvidedPlace {
  workspaceId: string;
  /** null: none. */
  role: Role | null;
  /** By its name, whether the person is to be in a team. */
  teams: Readonly<Record<string, boolean>>;
}

/** Keeps members as a provider has them at which they have signed in. */
@Injectable()
export class ProvidedMembersService {
  constructor(
    private readonly rows: MembersRepository,
    private readonly members: MembersService,
    private readonly teams: ProvidedTeamsService,
  ) {}

  /**
   * The ids of those of the workspaces that are there, by slug. From here to the end of the surrounding transaction nobody
   * else changes who is in them.
   */
  async lock(slugs: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.rows.lockNamed(slugs);
    return new Map(found.map(({ id, slug }) => [slug, id]));
  }

  /**
   * To be called in a transaction that holds the workspace's lock. The last owner stays.
   *
   * @throws QuotaExceeded when the plan allows no more members
   */
  async apply(
    person: Person,
    { workspaceId, role, teams }: ProvidedPlace,
    joins: AuditActor,
    way: string,
  ): Promise<void> {
    const member = await this.rows.findPerson(workspaceId, person.id);
    if (!member) {
      if (role === null) return;
      await this.members.admit({ workspaceId, person, role, teamIds: [] }, joins, { way });
    } else if (role !== member.role && !(await this.isLastOwner(member))) {
      if (role === null) return this.members.takeOut(workspaceId, member, SYSTEM, 'member.removed');
      await this.members.giveRole(workspaceId, member, role, SYSTEM);
    }
    await this.teams.apply(workspaceId, person.id, way, teams);
  }

  /** The same where somebody has got more there: it takes nothing that they have here. */
  async give(person: Person, place: ProvidedPlace, joins: AuditActor, way: string): Promise<void> {
    const member = await this.rows.findPerson(place.workspaceId, person.id);
    const keeps = member !== null && (place.role === null || roleReaches(member.role, place.role));
    const role = keeps ? member.role : place.role;
    const teams = Object.fromEntries(Object.entries(place.teams).filter(([, inside]) => inside));
    await this.apply(person, { ...place, role, teams }, joins, way);
  }

  private async isLastOwner({ workspaceId, userId, role }: Member): Promise<boolean> {
    return role === 'owner' && !(await this.rows.hasOtherOwner(workspaceId, userId));
  }
}
