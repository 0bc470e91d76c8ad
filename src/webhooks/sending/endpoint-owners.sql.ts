/** SQL, since it reads tables of other domains, which have no relations here. */
export const OWNERS = `
  SELECT u.email FROM memberships m JOIN users u ON u.id = m.user_id
  WHERE m.workspace_id = $1 AND m.role = 'owner' ORDER BY u.email`;
