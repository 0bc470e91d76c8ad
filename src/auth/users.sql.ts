const WORKSPACES = `
  SELECT w.id, w.name, w.slug, m.role
  FROM memberships m JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL`;

/** SQL, since one id may be that of a token or of a grant. */
export const WORKSPACES_OF_TOKEN = `
  ${WORKSPACES} JOIN personal_tokens t ON t.user_id = m.user_id
  WHERE t.id = $1 AND (t.workspace_ids IS NULL OR w.id = ANY (t.workspace_ids))
  UNION ALL
  ${WORKSPACES} JOIN agent_grants g ON g.user_id = m.user_id AND g.workspace_id = m.workspace_id
  WHERE g.id = $1 ORDER BY slug`;
