import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type DeleteQueryBuilder, type Repository } from 'typeorm';

import type { Role } from '../../core/access/index.js';
import { Database, insertIfAbsent } from '../../core/database/index.js';
import { Membership } from '../members/membership.entity.js';
import { TeamMember } from './team-member.entity.js';
import { ADD_TO_DEFAULT, ADD_TO_EACH, NAMED_TEAMS, type NamedTeam } from './team-members.sql.js';

@Injectable()
export class TeamMembersRepository {
  constructor(
    @InjectRepository(TeamMember) private readonly members: Repository<TeamMember>,
    private readonly database: Database,
  ) {}

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
  named(workspaceId: string, names: readonly string[], userId: string): Promise<NamedTeam[]> {
    return this.database.query<NamedTeam>(NAMED_TEAMS, [workspaceId, names, userId]);
  }

  /** Teams that are being deleted are waited for and passed over. */
  async addToEach(workspaceId: string, teamIds: readonly string[], userId: string): Promise<void> {
    await this.database.execute(ADD_TO_EACH, [workspaceId, teamIds, userId]);
  }

  async addToDefault(workspaceId: string, userId: string): Promise<void> {
    await this.database.execute(ADD_TO_DEFAULT, [workspaceId, userId]);
  }

  async removeFromDefault(workspaceId: string, userId: string): Promise<void> {
    await this.removal(workspaceId, userId, 'AND t.is_default').execute();
  }

  async removeFromAll(workspaceId: string, userId: string): Promise<void> {
    await this.removal(workspaceId, userId, '').execute();
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
