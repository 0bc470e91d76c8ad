import { PERSON, GRANTED_WORKSPACE_AND_ENVIRONMENT } from '../core/access/index.js';

/**
 * What a token of an app's grant resolves to: its person, in the grant's workspace and, if it has one, environment. SQL,
 * since every request begins with it, and requests of all kinds are resolved at once.
 */
export const liveGrants = (sent: string): string => `
    SELECT q.place, g.id AS "credentialId", g.app_name AS "credentialName", array_to_string(g.scopes, ' ') AS scopes,
      ARRAY[g.workspace_id] AS "allowedWorkspaces", bound.name AS "boundEnvironment", true AS confirmed, ${PERSON},
      ${GRANTED_WORKSPACE_AND_ENVIRONMENT}
    FROM ${sent} q JOIN agent_access_tokens t ON t.hash = q.hash AND t.expires_at > now()
      JOIN agent_grants g ON g.id = t.grant_id AND g.revoked_at IS NULL
      LEFT JOIN environments bound ON bound.id = g.environment_id
      JOIN users u ON u.id = g.user_id
      LEFT JOIN workspaces w ON w.id = g.workspace_id AND w.slug = COALESCE(q.workspace, w.slug)
        AND w.deleted_at IS NULL
      LEFT JOIN memberships m ON m.workspace_id = w.id AND m.user_id = u.id
      LEFT JOIN environments e ON e.workspace_id = w.id AND e.deleted_at IS NULL
        AND CASE WHEN q.environment IS NOT NULL THEN e.name = q.environment
                 WHEN g.environment_id IS NOT NULL THEN e.id = g.environment_id ELSE e.is_default END
    WHERE g.environment_id IS NULL OR bound.deleted_at IS NULL`;

/** $1 grant, $2 seconds, $3 hash. SQL, since the token is written with the grant's end, or neither is. */
export const INSERT_ACCESS_TOKEN = `
  WITH alive AS (
    UPDATE agent_grants SET expires_at = CASE WHEN expires_at IS NOT NULL
      THEN GREATEST(expires_at, now() + make_interval(secs => $2)) END
    WHERE id = $1 AND revoked_at IS NULL RETURNING id
  )
  INSERT INTO agent_access_tokens (hash, grant_id, expires_at)
  SELECT $3, id, now() + make_interval(secs => $2) FROM alive`;
