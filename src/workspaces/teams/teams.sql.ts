import { boundedPage, columns, type RowOf } from '../../core/database/index.js';
import { Team } from './team.entity.js';

const TEAM = columns(Team, 't', 'id', 'name', 'isDefault', 'createdAt');

/** A team with the user ids of who is in it. */
export type TeamRow = RowOf<typeof TEAM> & { memberIds: string[] };

/** SQL, since a page is bounded by its bytes: a team can be large because of the ids of its members. */
export const LIST_TEAMS = boundedPage({
  candidates: `
    SELECT t.id, 34 * (SELECT count(*) FROM team_members tm WHERE tm.team_id = t.id) AS bytes FROM teams t
    WHERE t.workspace_id = $1 AND t.id < coalesce($2, '~') ORDER BY t.id DESC LIMIT $3`,
  columns: `${TEAM},
    ARRAY(SELECT tm.user_id FROM team_members tm WHERE tm.team_id = t.id ORDER BY tm.user_id) AS "memberIds"`,
  tables: 'FROM page JOIN teams t ON t.id = page.id',
});
