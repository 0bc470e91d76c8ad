import { NOBODY, WORKSPACE_AND_ENVIRONMENT } from '../core/access/index.js';

/** What an API key resolves to. SQL, since every request begins with it, and requests of all kinds are resolved at once. */
export const liveApiKeys = (sent: string): string => `
  SELECT q.place, k.id AS "credentialId", k.name AS "credentialName", array_to_string(k.scopes, ' ') AS scopes,
    NULL::text[] AS "allowedWorkspaces", bound.name AS "boundEnvironment", true AS confirmed, ${NOBODY},
    ${WORKSPACE_AND_ENVIRONMENT}
  FROM ${sent} q JOIN api_keys k ON k.hash = q.hash AND k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > now())
    JOIN workspaces w ON w.id = k.workspace_id AND w.deleted_at IS NULL
    LEFT JOIN environments bound ON bound.id = k.environment_id
    LEFT JOIN environments e ON e.workspace_id = w.id AND e.deleted_at IS NULL
      AND CASE WHEN q.environment IS NOT NULL THEN e.name = q.environment
               WHEN k.environment_id IS NOT NULL THEN e.id = k.environment_id ELSE e.is_default END`;
