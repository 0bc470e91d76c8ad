import { LIVE_MEMBERSHIPS, type Role, scriptIsVisible } from '../core/access/index.js';
import type { ScriptStatus } from '../scripts/index.js';

/** What decides whether whoever started a run could start it now. */
export interface StarterAccess {
  scriptSlug: string;
  scriptStatus: ScriptStatus;
  environment: string;
  environmentGone: boolean;
  /** The role of who started it, `admin` for an API key; null where that person has left. */
  starterRole: Role | null;
  visibleToStarter: boolean;
  /** What it was started with; not where that has only expired. */
  credentialRevoked: boolean;
  byAgent: boolean;
  agentsAllowed: boolean;
}

const isRevoked = (table: string): string =>
  `EXISTS (SELECT FROM ${table} c WHERE c.id = r.credential_id AND c.revoked_at IS NOT NULL)`;

/** SQL: the columns of it, where a run, or what it was started by, is `r`. */
export const STARTER_ACCESS = `s.slug AS "scriptSlug", s.status AS "scriptStatus", e.name AS environment,
    e.deleted_at IS NOT NULL AS "environmentGone", starter.role AS "starterRole", r.by_agent AS "byAgent",
    e.agents_allowed AS "agentsAllowed",
    CASE r.credential_type WHEN 'pat' THEN ${isRevoked('personal_tokens')} WHEN 'api_key' THEN ${isRevoked('api_keys')}
      WHEN 'oauth' THEN ${isRevoked('agent_grants')} ELSE false END AS "credentialRevoked",
    COALESCE(${scriptIsVisible({ alias: 's', roleParameter: 'starter.role', userParameter: 'r.started_by_user_id', choiceParameter: null })}, false)
      AS "visibleToStarter"`;

/** SQL: what they are read from, after `FROM … r`. */
export const JOIN_STARTER = `JOIN scripts s ON s.id = r.script_id JOIN environments e ON e.id = r.environment_id
    LEFT JOIN ${LIVE_MEMBERSHIPS} m ON m.workspace_id = r.workspace_id AND m.user_id = r.started_by_user_id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN r.started_by_user_id IS NULL THEN 'admin' ELSE m.role END AS role) AS starter`;
