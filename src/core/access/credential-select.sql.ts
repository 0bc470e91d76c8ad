/*
 * Parts of the statements by which strategies resolve a credential with its person, workspace, membership and
 * environment. Whatever a strategy joins is named so: `q` is what was sent, `u` the person, `w` the workspace, `m` the
 * membership, `e` the environment.
 */

export const PERSON = 'u.id AS "userId", u.name AS "userName", u.email AS "userEmail", m.role AS role';

/** A credential without a person acts as an admin. */
export const NOBODY = `NULL AS "userId", NULL AS "userName", NULL AS "userEmail", 'admin' AS role`;

export const WORKSPACE_AND_ENVIRONMENT = `
  w.id AS "workspaceId", w.slug AS "workspaceSlug", w.name AS "workspaceName",
  e.id AS "environmentId", e.name AS "environmentName", e.approval_policy AS "approvalPolicy",
  e.agents_allowed AS "agentsAllowed", e.is_default AS "isDefault"`;

/** The workspace that the request names. */
export const NAMED_WORKSPACE = 'LEFT JOIN workspaces w ON w.slug = q.workspace AND w.deleted_at IS NULL';

/** The person's membership there, and the environment that the request names or else the default one. */
export const MEMBERSHIP_AND_ENVIRONMENT = `
  LEFT JOIN memberships m ON m.workspace_id = w.id AND m.user_id = u.id
  LEFT JOIN environments e ON e.workspace_id = w.id AND e.deleted_at IS NULL
    AND CASE WHEN q.environment IS NULL THEN e.is_default ELSE e.name = q.environment END`;

/** One credential. $1 hash, $2 workspace, $3 environment. */
export const ONE_SENT = `(SELECT $1::bytea AS hash, $2::text AS workspace, $3::text AS environment, 1 AS place)`;

/** Those of many that a strategy recognised. $1 names of strategies, $2 hashes, $3 workspaces, $4 environments; `place` counts from 1. */
export function manySent(strategy: string): string {
  return `(
    SELECT hash, workspace, environment, place
    FROM unnest($1::text[], $2::bytea[], $3::text[], $4::text[])
      WITH ORDINALITY AS a(strategy, hash, workspace, environment, place)
    WHERE strategy = '${strategy}')`;
}
