import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type Repository, type SelectQueryBuilder } from 'typeorm';

import { Database, insertedIfAbsent } from '../../core/database/index.js';
import { Team } from './team.entity.js';
import { LIST_TEAMS, type TeamRow } from './teams.sql.js';

type NewTeam = Pick<Team, 'id' | 'workspaceId' | 'name' | 'isDefault'>;
type HeldTeam = Pick<Team, 'id' | 'isDefault'>;

@Injectable()
export class TeamsRepository {
  constructor(
    @InjectRepository(Team) private readonly teams: Repository<Team>,
    private readonly database: Database,
  ) {}

  list(workspaceId: string, after: string | null, count: number): Promise<TeamRow[]> {
    return this.database.query<TeamRow>(LIST_TEAMS, [workspaceId, after, count]);
  }

  find(workspaceId: string, id: string): Promise<TeamRow | null> {
    return read(this.withMembers(workspaceId, id));
  }

  /** Neither renamed nor deleted by anybody else before the transaction ends. */
  lock(workspaceId: string, id: string): Promise<TeamRow | null> {
    return read(this.withMembers(workspaceId, id).setLock('for_no_key_update', undefined, ['t']));
  }

  /** Those of `ids` that are teams of the workspace, kept from being deleted until the transaction ends. */
  hold(workspaceId: string, ids: readonly string[]): Promise<HeldTeam[]> {
    return this.teams.find({
      select: { id: true, isDefault: true },
      where: { workspaceId, id: Any([...ids]) },
      order: { id: 'ASC' },
      lock: { mode: 'for_key_share' },
    });
  }

  /** Returns the team, in which nobody is yet; null: the name is taken. */
  async insert(team: NewTeam): Promise<TeamRow | null> {
    const made = await insertedIfAbsent(this.teams, team, 'createdAt');
    return made && { ...team, ...made, memberIds: [] };
  }

  async rename(id: string, name: string): Promise<void> {
    await this.teams.update({ id }, { name });
  }

  /** False: it is deleted already. */
  async delete(workspaceId: string, id: string): Promise<boolean> {
    return (await this.teams.delete({ workspaceId, id })).affected === 1;
  }

  private withMembers(workspaceId: string, id: string): SelectQueryBuilder<Team> {
    return this.teams
      .createQueryBuilder('t')
      .leftJoinAndSelect('t.members', 'm')
      .where({ workspaceId, id })
      .orderBy('m.userId');
  }
}

async function read(query: SelectQueryBuilder<Team>): Promise<TeamRow | null> {
  const team = await query.getOne();
  return team && { ...team, memberIds: team.members!.map(({ userId }) => userId) };
}
