import type { CallerKind } from './caller.js';

/*
 * Resolves a credential with its person, membership and environment. One statement, whether for one request or for all
 * that are still being answered.
 */

/** What is asked for, as a relation with the columns `hash`, `workspace`, `environment` and `place`. */
const ONE = `(SELECT $1::bytea AS hash, $2::text AS workspace, $3::text AS environment, 1 AS place)`;

const manyOf = (kind: CallerKind): string => `(
  SELECT hash, workspace, environment, place
  FROM unnest($1::text[], $2::bytea[], $3::text[], $4::text[])
    WITH ORDINALITY AS a(kind, hash, workspace, environment, place)
  WHERE kind = '${kind}')`;

const PERSON = 'u.id AS "userId", u.name AS "userName", u.email AS "userEmail", m.role AS role';
const NOBODY = `NULL AS "userId", NULL AS "userName", NULL AS "userEmail", 'admin' AS role`;

const FOUND = `
  w.id AS "workspaceId", w.slug AS "workspaceSlug", w.name AS "workspaceName",
  e.id AS "environmentId", e.name AS "environmentName", e.approval_policy AS "approvalPolicy",
  e.agents_allowed AS "agentsAllowed", e.is_default AS "isDefault"`;

const NAMED_WORKSPACE = 'LEFT JOIN workspaces w ON w.slug = q.workspace AND w.deleted_at IS NULL';

const GRANTED_WORKSPACE = `
  LEFT JOIN workspaces w ON w.id = g.workspace_id AND w.slug = COALESCE(q.workspace, w.slug) AND w.deleted_at IS NULL`;

const MEMBERSHIP = `
  LEFT JOIN memberships m ON m.workspace_id = w.id AND m.user_id = u.id
  LEFT JOIN environments e ON e.workspace_id = w.id AND e.deleted_at IS NULL
    AND CASE WHEN q.environment IS NULL THEN e.is_default ELSE e.name = q.environment END`;

const SELECTS: Record<CallerKind, (asked: string) => string> = {
  session: (asked) => `
    SELECT q.place, s.id AS "credentialId", NULL AS "credentialName", NULL AS scopes,
      NULL::text[] AS "allowedWorkspaces", NULL AS "boundEnvironment",
      s.confirmed_at > now() - interval '1 hour' AS confirmed, ${PERSON}, ${FOUND}
    FROM ${asked} q JOIN sessions s ON s.hash = q.hash AND s.expires_at > now()
      JOIN users u ON u.id = s.user_id ${NAMED_WORKSPACE} ${MEMBERSHIP}`,

  personal_token: (asked) => `
    SELECT q.place, t.id AS "credentialId", t.name AS "credentialName", array_to_string(t.scopes, ' ') AS scopes,
      t.workspace_ids AS "allowedWorkspaces", NULL AS "boundEnvironment", true AS confirmed, ${PERSON}, ${FOUND}
    FROM ${asked} q JOIN personal_tokens t ON t.hash = q.hash AND t.revoked_at IS NULL
        AND (t.expires_at IS NULL OR t.expires_at > now())
      JOIN users u ON u.id = t.user_id ${NAMED_WORKSPACE} ${MEMBERSHIP}`,

  agent: (asked) => `
    SELECT q.place, g.id AS "credentialId", g.app_name AS "credentialName", array_to_string(g.scopes, ' ') AS scopes,
      ARRAY[g.workspace_id] AS "allowedWorkspaces", NULL AS "boundEnvironment", true AS confirmed, ${PERSON}, ${FOUND}
    FROM ${asked} q JOIN agent_access_tokens t ON t.hash = q.hash AND t.expires_at > now()
      JOIN agent_grants g ON g.id = t.grant_id AND g.revoked_at IS NULL
      JOIN users u ON u.id = g.user_id ${GRANTED_WORKSPACE} ${MEMBERSHIP}`,

  api_key: (asked) => `
    SELECT q.place, k.id AS "credentialId", k.name AS "credentialName", NULL AS scopes,
      NULL::text[] AS "allowedWorkspaces", bound.name AS "boundEnvironment", true AS confirmed, ${NOBODY}, ${FOUND}
    FROM ${asked} q JOIN api_keys k ON k.hash = q.hash AND k.revoked_at IS NULL
      JOIN workspaces w ON w.id = k.workspace_id AND w.deleted_at IS NULL
      LEFT JOIN environments bound ON bound.id = k.environment_id
      LEFT JOIN environments e ON e.workspace_id = w.id AND e.deleted_at IS NULL
        AND CASE WHEN q.environment IS NOT NULL THEN e.name = q.environment
                 WHEN k.environment_id IS NOT NULL THEN e.id = k.environment_id ELSE e.is_default END`,
};

const KINDS = Object.keys(SELECTS) as CallerKind[];

/** $1 hash, $2 workspace, $3 environment. */
export const FIND_ONE = Object.fromEntries(KINDS.map((kind) => [kind, SELECTS[kind](ONE)])) as Record<
  CallerKind,
  string
>;

/** $1 kinds, $2 hashes, $3 workspaces, $4 environments; `place` counts from 1. */
export const FIND_MANY = KINDS.map((kind) => SELECTS[kind](manyOf(kind))).join(' UNION ALL ');
