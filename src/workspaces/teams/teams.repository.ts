import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import {
  boundedPage,
  columns,
  Database,
  insertColumns,
  named,
  type RowOf,
} from '../../core/database/index.js';
import { Team } from './team.entity.js';

const RECORD = columns(Team, 't', 'id', 'name', 'isDefault', 'createdAt');
const NEW = insertColumns(Team, 'id', 'workspaceId', 'name', 'isDefault');
const HELD = columns(Team, 't', 'id', 'isDefault');

/** A team with the user ids of who is in it. */
export type TeamRow = RowOf<typeof RECORD> & { memberIds: string[] };
export type HeldTeam = RowOf<typeof HELD>;

@Injectable()
export class TeamsRepository {
  constructor(
    @InjectRepository(Team) private readonly teams: Repository<Team>,
    private readonly database: Database,
  ) {}

  list(workspaceId: string, after: string | null, count: number): Promise<TeamRow[]> {
    return this.database.query<TeamRow>(LIST, [workspaceId, after, count]);
  }

  find(workspaceId: string, id: string): Promise<TeamRow | null> {
    return this.database.one<TeamRow>(FIND, [workspaceId, id]);
  }

  /** Neither renamed nor deleted by anybody else before the transaction ends. */
  lock(workspaceId: string, id: string): Promise<TeamRow | null> {
    return this.database.one<TeamRow>(LOCK, [workspaceId, id]);
  }

  /** Those of `ids` that are teams of the workspace, kept from being deleted until the transaction ends. */
  hold(workspaceId: string, ids: readonly string[]): Promise<HeldTeam[]> {
    return this.database.query<HeldTeam>(HOLD, [workspaceId, ids]);
  }

  /** Returns the team, in which nobody is yet; null: the name is taken. */
  async insert(team: typeof NEW.row): Promise<TeamRow | null> {
    const row = await this.database.one<RowOf<typeof RECORD>>(...INSERT(team));
    return row && { ...row, memberIds: [] };
  }

  async rename(id: string, name: string): Promise<void> {
    await this.teams.update({ id }, { name });
  }

  /** False: it is deleted already. */
  async delete(workspaceId: string, id: string): Promise<boolean> {
    return (await this.teams.delete({ workspaceId, id })).affected === 1;
  }
}

const INSERT = named<typeof NEW.row>(
  `INSERT INTO teams AS t (${NEW.columns}) VALUES (${NEW.parameters}) ON CONFLICT DO NOTHING RETURNING ${RECORD}`,
);

const COLUMNS = `${RECORD},
  ARRAY(SELECT tm.user_id FROM team_members tm WHERE tm.team_id = t.id ORDER BY tm.user_id) AS "memberIds"`;

const FIND = `SELECT ${COLUMNS} FROM teams t WHERE t.workspace_id = $1 AND t.id = $2`;

const LOCK = `${FIND} FOR NO KEY UPDATE OF t`;

const HOLD = `
  SELECT ${HELD} FROM teams t WHERE t.workspace_id = $1 AND t.id = ANY($2::text[]) ORDER BY t.id FOR KEY SHARE`;

/** A team can be large because of the ids of its members. */
const LIST = boundedPage({
  candidates: `
    SELECT t.id, 34 * (SELECT count(*) FROM team_members tm WHERE tm.team_id = t.id) AS bytes FROM teams t
    WHERE t.workspace_id = $1 AND t.id < coalesce($2, '~') ORDER BY t.id DESC LIMIT $3`,
  columns: COLUMNS,
  tables: 'FROM page JOIN teams t ON t.id = page.id',
});
