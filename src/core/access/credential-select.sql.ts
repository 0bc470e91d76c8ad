/*
 * Parts of the statements by which strategies resolve a credential with its person, workspace, membership and
 * environment. Whatever a strategy joins is named so: `q` is what was sent, `u` the person, `w` the workspace, `m` the
 * membership, `e` the environment.
 */

/** Who has no password signs in at a company's provider, which asks for whatever it wants. */
const HAS_SECOND_FACTOR = 'u.second_factor OR u.password_hash IS NULL';

const WHO = 'u.id AS "userId", u.name AS "userName", u.email AS "userEmail", m.role AS role';

/** Of a credential with which nobody can confirm that it is them. */
export const PERSON = `${WHO}, (${HAS_SECOND_FACTOR}) AS "hasSecondFactor", NULL::float8 AS "confirmedAgo"`;

/** Of the session `s`. */
export const PERSON_IN_SESSION = `${WHO}, (${HAS_SECOND_FACTOR} OR s.provided) AS "hasSecondFactor",
  extract(epoch FROM now() - s.confirmed_at)::float8 AS "confirmedAgo"`;

/** A credential without a person acts as an admin. */
export const NOBODY = `NULL AS "userId", NULL AS "userName", NULL AS "userEmail", 'admin' AS role,
  true AS "hasSecondFactor", 0::float8 AS "confirmedAgo"`;

const PLACE = `
  w.id AS "workspaceId", w.slug AS "workspaceSlug", w.name AS "workspaceName",
  w.second_factor_required AS "secondFactorRequired", w.step_up_minutes AS "stepUpMinutes",
  e.id AS "environmentId", e.name AS "environmentName", e.approval_policy AS "approvalPolicy",
  e.agents_allowed AS "agentsAllowed", e.is_default AS "isDefault"`;

export const WORKSPACE_AND_ENVIRONMENT = `NULL::text AS "scriptChoice", ${PLACE}`;

/** Of a grant `g`, whose person may have chosen scripts. */
export const GRANTED_WORKSPACE_AND_ENVIRONMENT = `
  CASE WHEN g.script_ids IS NOT NULL OR g.script_tags IS NOT NULL THEN g.id END AS "scriptChoice", ${PLACE}`;

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
