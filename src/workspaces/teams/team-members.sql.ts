export interface NamedTeam {
  id: string;
  name: string;
  includes: boolean;
}

/** SQL, since the teams are held before it is asked who is in them. */
export const NAMED_TEAMS = `
  SELECT held.id, held.name,
    EXISTS (SELECT FROM team_members tm WHERE tm.team_id = held.id AND tm.user_id = $3) AS includes
  FROM (
    SELECT id, name FROM teams WHERE workspace_id = $1 AND name = ANY ($2::text[]) AND NOT is_default
    ORDER BY id FOR KEY SHARE) AS held`;

/** SQL, since a builder inserts no rows that it selects. */
export const ADD_TO_EACH = `
  INSERT INTO team_members (team_id, user_id)
  SELECT held.id, $3 FROM (
    SELECT id FROM teams WHERE workspace_id = $1 AND id = ANY($2::text[]) ORDER BY id FOR KEY SHARE) AS held
  ON CONFLICT DO NOTHING`;

/** SQL, for the same reason. */
export const ADD_TO_DEFAULT = `
  INSERT INTO team_members (team_id, user_id) SELECT id, $2 FROM teams WHERE workspace_id = $1 AND is_default
  ON CONFLICT DO NOTHING`;
