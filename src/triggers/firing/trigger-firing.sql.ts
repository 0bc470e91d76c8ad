import { LIVE_MEMBERSHIPS, scriptIsVisible } from '../../core/access/index.js';

/** $1 workspaces, $2 users or nulls, $3 scripts or nulls: a row for each, in the order given. */
export const AUTHOR_RIGHTS = `
  SELECT r.role, v.script_id IS NULL OR COALESCE(
    ${scriptIsVisible({ alias: 's', roleParameter: 'r.role', userParameter: 'v.user_id', choiceParameter: null })}, false) AS visible
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS v(workspace_id, user_id, script_id, place)
    LEFT JOIN ${LIVE_MEMBERSHIPS} m ON m.workspace_id = v.workspace_id AND m.user_id = v.user_id
    LEFT JOIN scripts s ON s.id = v.script_id AND s.workspace_id = v.workspace_id
    CROSS JOIN LATERAL (SELECT CASE WHEN v.user_id IS NULL THEN 'admin' ELSE m.role END AS role) AS r
  ORDER BY v.place`;
