import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type DeleteQueryBuilder, type FindOptionsWhere, type Repository } from 'typeorm';

import type { Role } from '../../core/access/index.js';
import { insertIfAbsent } from '../../core/database/index.js';
import { Membership } from '../membership.entity.js';
import { TeamMember } from './team-member.entity.js';
import { Team } from './team.entity.js';

export interface NamedTeam {
  id: string;
  name: string;
  includes: boolean;
}

@Injectable()
export class TeamMembersRepository {
  constructor(@InjectRepository(TeamMember) private readonly members: Repository<TeamMember>) {}

  /** The role of a person in the workspace, who neither leaves nor changes it before the transaction ends. */
  async holdRole(workspaceId: string, userId: string): Promise<Role | null> {
    const where = { workspaceId, userId };
    const lock = { mode: 'pessimistic_read' } as const;
    const membership = await this.members.manager.findOne(Membership, { where, lock });
    return membership?.role ?? null;
  }

  /** False: the person is in it already. */
  add(teamId: string, userId: string): Promise<boolean> {
    return insertIfAbsent(this.members, { teamId, userId });
  }

  /** False: the person is not in it. */
  async remove(teamId: string, userId: string): Promise<boolean> {
    return (await this.members.delete({ teamId, userId })).affected === 1;
  }

  /** The teams of these names, but for the default one, kept from being deleted, and whether the person is in each. */
  async named(workspaceId: string, names: readonly string[], userId: string): Promise<NamedTeam[]> {
    const teams = await this.hold({ workspaceId, name: Any([...names]), isDefault: false });
    const memberships = await this.members.findBy({ teamId: Any(teams.map(({ id }) => id)), userId });
    const joined = new Set(memberships.map(({ teamId }) => teamId));
    return teams.map(({ id, name }) => ({ id, name, includes: joined.has(id) }));
  }

  /** Teams that are being deleted are waited for and passed over. */
  async addToEach(workspaceId: string, teamIds: readonly string[], userId: string): Promise<void> {
    await this.addTo(await this.hold({ workspaceId, id: Any([...teamIds]) }), userId);
  }

  async addToDefault(workspaceId: string, userId: string): Promise<void> {
    await this.addTo(await this.hold({ workspaceId, isDefault: true }), userId);
  }

  async removeFromDefault(workspaceId: string, userId: string): Promise<void> {
    await this.removal(workspaceId, userId, 'AND t.is_default').execute();
  }

  async removeFromAll(workspaceId: string, userId: string): Promise<void> {
    await this.removal(workspaceId, userId, '').execute();
  }

  private hold(where: FindOptionsWhere<Team>): Promise<Team[]> {
    const lock = { mode: 'for_key_share' } as const;
    return this.members.manager.find(Team, { where, order: { id: 'ASC' }, lock });
  }

  private async addTo(teams: readonly Team[], userId: string): Promise<void> {
    if (teams.length === 0) return;
    const rows = teams.map(({ id: teamId }) => ({ teamId, userId }));
    await this.members.createQueryBuilder().insert().values(rows).orIgnore().updateEntity(false).execute();
  }

  private removal(workspaceId: string, userId: string, which: string): DeleteQueryBuilder<TeamMember> {
    return this.members
      .createQueryBuilder()
      .delete()
      .where({ userId })
      .andWhere(`team_id IN (SELECT t.id FROM teams t WHERE t.workspace_id = :workspaceId ${which})`, {
        workspaceId,
      });
  }
}
