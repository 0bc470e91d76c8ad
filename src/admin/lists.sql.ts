/** More than anybody reads; whoever looks for one names a part of it. */
export const MOST_LISTED = 1000;

/** SQL, since each account comes with its workspaces. $1 a part of the address or name, $2 how many at most. */
export const LIST_USERS = `
  SELECT u.id, u.email, u.name, u.created_at AS "createdAt", u.disabled_at AS "disabledAt", ARRAY(
      SELECT w.slug FROM memberships m JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
      WHERE m.user_id = u.id ORDER BY w.slug) AS workspaces
  FROM users u WHERE position($1 IN u.email) > 0 OR position($1 IN lower(u.name)) > 0
  ORDER BY u.id LIMIT $2`;

/** The same for workspaces, with those that are disabled. */
export const LIST_WORKSPACES = `
  SELECT w.id, w.slug, w.name, w.plan, w.created_at AS "createdAt", w.deleted_at AS "disabledAt", o.email AS owner,
    (SELECT count(*) FROM memberships m WHERE m.workspace_id = w.id) AS members
  FROM workspaces w LEFT JOIN users o ON o.id = w.owner_user_id
  WHERE position($1 IN w.slug) > 0 OR position($1 IN lower(w.name)) > 0
  ORDER BY w.id LIMIT $2`;

/** How many keys that work were made by somebody. $1 the user's id. */
export const COUNT_KEYS = `
  SELECT w.slug, count(*) AS keys FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id AND w.deleted_at IS NULL
  WHERE k.created_by_user_id = $1 AND k.revoked_at IS NULL GROUP BY w.slug ORDER BY w.slug`;
