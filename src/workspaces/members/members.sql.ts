/** SQL, as a value of an update. Ids sort by creation. Where no owner has accepted it, it goes on to count for whom it did. */
export const LONGEST_OWNER = `COALESCE((
  SELECT m.user_id FROM memberships m WHERE m.workspace_id = workspaces.id AND m.role = 'owner' AND m.accepts_ownership
  ORDER BY m.id LIMIT 1), owner_user_id)`;
