import { LIVE_MEMBERSHIPS } from '../../core/access/index.js';

/** $1 workspaces, $2 users, null for an API key: a row for each, in the order given. */
export const AUTHOR_ROLES = `
  SELECT CASE WHEN v.user_id IS NULL THEN 'admin' ELSE m.role END AS role
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS v(workspace_id, user_id, place)
    LEFT JOIN ${LIVE_MEMBERSHIPS} m ON m.workspace_id = v.workspace_id AND m.user_id = v.user_id
  ORDER BY v.place`;
