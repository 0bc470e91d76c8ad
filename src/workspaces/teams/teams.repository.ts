import { Injectable } from '@nestjs/common';

import { boundedPage } from '../../core/database/bounded-page.sql.js';
import { Database } from '../../core/database/database.js';

export interface TeamRow {
  id: string;
  name: string;
  isDefault: boolean;
  memberIds: string[];
  createdAt: Date;
}

@Injectable()
export class TeamsRepository {
  constructor(private readonly database: Database) {}

  list(workspaceId: string, after: string | null, count: number): Promise<TeamRow[]> {
    return this.database.query<TeamRow>(LIST, [workspaceId, after, count]);
  }

  find(workspaceId: string, id: string): Promise<TeamRow | null> {
    return this.database.one<TeamRow>(`${SELECT} WHERE t.workspace_id = $1 AND t.id = $2`, [workspaceId, id]);
  }

  /** Neither renamed nor deleted by anybody else before the transaction ends. */
  lock(workspaceId: string, id: string): Promise<TeamRow | null> {
    return this.database.one<TeamRow>(
      `${SELECT} WHERE t.workspace_id = $1 AND t.id = $2 FOR NO KEY UPDATE OF t`,
      [workspaceId, id],
    );
  }

  /** Those of `ids` that are teams of the workspace, kept from being deleted until the transaction ends. */
  hold(workspaceId: string, ids: readonly string[]): Promise<{ id: string; isDefault: boolean }[]> {
    return this.database.query<{ id: string; isDefault: boolean }>(
      `SELECT id, is_default AS "isDefault" FROM teams WHERE workspace_id = $1 AND id = ANY($2::text[])
       ORDER BY id FOR KEY SHARE`,
      [workspaceId, ids],
    );
  }

  /** False: the name is taken. */
  async insert(id: string, workspaceId: string, name: string): Promise<boolean> {
    const { count } = await this.database.execute(
      `INSERT INTO teams (id, workspace_id, name) VALUES ($1, $2, $3)
       ON CONFLICT ON CONSTRAINT teams_name_key DO NOTHING`,
      [id, workspaceId, name],
    );
    return count === 1;
  }

  async rename(id: string, name: string): Promise<void> {
    await this.database.execute('UPDATE teams SET name = $2 WHERE id = $1', [id, name]);
  }

  /**
   * Locks the scripts and open invitations that name a team, before the team itself: who gives a script or an
   * invitation a team locks them in that order, too.
   */
  async lockUses(workspaceId: string, id: string): Promise<void> {
    await this.database.execute(`SELECT FROM scripts WHERE ${SCRIPT_USES} ORDER BY id FOR UPDATE`, [
      workspaceId,
      id,
    ]);
    await this.database.execute(`SELECT FROM invitations WHERE ${INVITATION_USES} ORDER BY id FOR UPDATE`, [
      workspaceId,
      id,
    ]);
  }

  /** With its place in scripts and open invitations. False: it is deleted already. */
  async delete(workspaceId: string, id: string): Promise<boolean> {
    const { count } = await this.database.execute('DELETE FROM teams WHERE workspace_id = $1 AND id = $2', [
      workspaceId,
      id,
    ]);
    for (const [table, uses] of [
      ['scripts', SCRIPT_USES],
      ['invitations', INVITATION_USES],
    ]) {
      await this.database.execute(`UPDATE ${table} SET team_ids = array_remove(team_ids, $2) WHERE ${uses}`, [
        workspaceId,
        id,
      ]);
    }
    return count === 1;
  }
}

const COLUMNS = `
  t.id, t.name, t.is_default AS "isDefault", t.created_at AS "createdAt",
  ARRAY(SELECT tm.user_id FROM team_members tm WHERE tm.team_id = t.id ORDER BY tm.user_id) AS "memberIds"`;

const SELECT = `SELECT ${COLUMNS} FROM teams t`;

/** The ids of its members are what can be many. */
const LIST = boundedPage({
  candidates: `
    SELECT t.id, 34 * (SELECT count(*) FROM team_members tm WHERE tm.team_id = t.id) AS bytes FROM teams t
    WHERE t.workspace_id = $1 AND t.id < coalesce($2, '~') ORDER BY t.id DESC LIMIT $3`,
  columns: COLUMNS,
  tables: 'FROM page JOIN teams t ON t.id = page.id',
});

const SCRIPT_USES = `workspace_id = $1 AND access = 'teams' AND team_ids @> ARRAY[$2::text]`;

const INVITATION_USES = `
  workspace_id = $1 AND accepted_at IS NULL AND declined_at IS NULL AND team_ids @> ARRAY[$2::text]`;
