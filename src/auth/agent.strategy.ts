import { bearerTokenHash } from '../core/access/bearer-token.js';
import {
  MEMBERSHIP_AND_ENVIRONMENT,
  PERSON,
  WORKSPACE_AND_ENVIRONMENT,
} from '../core/access/credential-select.sql.js';
import { type CredentialStrategy, RecognisesCredentials } from '../core/access/credential-strategy.js';
import type { GatehouseRequest } from '../core/http/request.js';

/** The access token of an app that a person connected to one workspace. */
@RecognisesCredentials()
export class AgentStrategy implements CredentialStrategy {
  readonly name = 'agent';
  readonly kind = 'agent';

  hashIn(request: GatehouseRequest): Buffer | null {
    return bearerTokenHash(request, 'access');
  }

  select(sent: string): string {
    return `
      SELECT q.place, g.id AS "credentialId", g.app_name AS "credentialName", array_to_string(g.scopes, ' ') AS scopes,
        ARRAY[g.workspace_id] AS "allowedWorkspaces", NULL AS "boundEnvironment", true AS confirmed, ${PERSON},
        ${WORKSPACE_AND_ENVIRONMENT}
      FROM ${sent} q JOIN agent_access_tokens t ON t.hash = q.hash AND t.expires_at > now()
        JOIN agent_grants g ON g.id = t.grant_id AND g.revoked_at IS NULL
        JOIN users u ON u.id = g.user_id
        LEFT JOIN workspaces w ON w.id = g.workspace_id AND w.slug = COALESCE(q.workspace, w.slug)
          AND w.deleted_at IS NULL
        ${MEMBERSHIP_AND_ENVIRONMENT}`;
  }
}
