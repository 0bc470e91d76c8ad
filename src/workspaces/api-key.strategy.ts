import {
  bearerTokenHash,
  type CredentialStrategy,
  NOBODY,
  RecognisesCredentials,
  WORKSPACE_AND_ENVIRONMENT,
} from '../core/access/index.js';
import { Database } from '../core/database/index.js';
import type { GatehouseRequest } from '../core/http/index.js';

/** A workspace's API key, which may be bound to one environment. */
@RecognisesCredentials()
export class ApiKeyStrategy implements CredentialStrategy {
  readonly name = 'api_key';
  readonly kind = 'api_key';

  constructor(private readonly database: Database) {}

  hashIn(request: GatehouseRequest): Buffer | null {
    return bearerTokenHash(request, 'apiKey');
  }

  select(sent: string): string {
    return `
      SELECT q.place, k.id AS "credentialId", k.name AS "credentialName", NULL AS scopes,
        NULL::text[] AS "allowedWorkspaces", bound.name AS "boundEnvironment", true AS confirmed, ${NOBODY},
        ${WORKSPACE_AND_ENVIRONMENT}
      FROM ${sent} q JOIN api_keys k ON k.hash = q.hash AND k.revoked_at IS NULL
        JOIN workspaces w ON w.id = k.workspace_id AND w.deleted_at IS NULL
        LEFT JOIN environments bound ON bound.id = k.environment_id
        LEFT JOIN environments e ON e.workspace_id = w.id AND e.deleted_at IS NULL
          AND CASE WHEN q.environment IS NOT NULL THEN e.name = q.environment
                   WHEN k.environment_id IS NOT NULL THEN e.id = k.environment_id ELSE e.is_default END`;
  }

  async recordUse(addresses: ReadonlyMap<string, string>): Promise<void> {
    await this.database.execute('UPDATE api_keys SET last_used_at = now() WHERE id = ANY ($1::text[])', [
      [...addresses.keys()],
    ]);
  }
}
