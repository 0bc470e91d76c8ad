import {
  MEMBERSHIP_AND_ENVIRONMENT,
  NAMED_WORKSPACE,
  PERSON,
  WORKSPACE_AND_ENVIRONMENT,
} from '../core/access/index.js';
import { boundedPage, columns, type RowOf } from '../core/database/index.js';
import { PersonalToken } from './personal-token.entity.js';

/** What a personal access token resolves to. SQL, since every request begins with it, and requests of all kinds are resolved at once. */
export const livePersonalTokens = (sent: string): string => `
  SELECT q.place, t.id AS "credentialId", t.name AS "credentialName", array_to_string(t.scopes, ' ') AS scopes,
    t.workspace_ids AS "allowedWorkspaces", NULL AS "boundEnvironment", true AS confirmed, ${PERSON},
    ${WORKSPACE_AND_ENVIRONMENT}
  FROM ${sent} q JOIN personal_tokens t ON t.hash = q.hash AND t.revoked_at IS NULL
      AND (t.expires_at IS NULL OR t.expires_at > now())
    JOIN users u ON u.id = t.user_id ${NAMED_WORKSPACE} ${MEMBERSHIP_AND_ENVIRONMENT}`;

const TOKEN = columns(
  PersonalToken,
  't',
  'id',
  'name',
  'scopes',
  'last4',
  'expiresAt',
  'lastUsedAt',
  'lastUsedAddress',
  'createdAt',
);

/** A token with the slugs of the workspaces in which it may act, or null for all. */
export type PersonalTokenRow = RowOf<typeof TOKEN> & { workspaces: string[] | null };

/** SQL, since a page is bounded by its bytes: a token may name a thousand workspaces, whose slugs are part of it. */
export const LIST_PERSONAL_TOKENS = boundedPage({
  candidates: `
    SELECT t.id, 1000 + 66 * coalesce(cardinality(t.workspace_ids), 0) AS bytes FROM personal_tokens t
    WHERE t.user_id = $1 AND t.revoked_at IS NULL AND t.id < coalesce($2, '~') ORDER BY t.id DESC LIMIT $3`,
  columns: `${TOKEN}, CASE WHEN t.workspace_ids IS NOT NULL THEN ARRAY(
      SELECT w.slug FROM workspaces w WHERE w.id = ANY (t.workspace_ids) AND w.deleted_at IS NULL ORDER BY w.slug
    ) END AS workspaces`,
  tables: 'FROM page JOIN personal_tokens t ON t.id = page.id',
});
