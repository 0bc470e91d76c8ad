import {
  bearerTokenHash,
  type CredentialStrategy,
  MEMBERSHIP_AND_ENVIRONMENT,
  NAMED_WORKSPACE,
  PERSON,
  RecognisesCredentials,
  WORKSPACE_AND_ENVIRONMENT,
} from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import { Database } from '../core/database/index.js';
import type { GatehouseRequest } from '../core/http/index.js';

/** A personal access token, unless `GATEHOUSE_PERSONAL_TOKENS` is off. */
@RecognisesCredentials()
export class PersonalTokenStrategy implements CredentialStrategy {
  readonly name = 'personal_token';
  readonly kind = 'personal_token';

  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
  ) {}

  hashIn(request: GatehouseRequest): Buffer | null {
    return this.settings.personalTokens ? bearerTokenHash(request, 'personal') : null;
  }

  select(sent: string): string {
    return `
      SELECT q.place, t.id AS "credentialId", t.name AS "credentialName", array_to_string(t.scopes, ' ') AS scopes,
        t.workspace_ids AS "allowedWorkspaces", NULL AS "boundEnvironment", true AS confirmed, ${PERSON},
        ${WORKSPACE_AND_ENVIRONMENT}
      FROM ${sent} q JOIN personal_tokens t ON t.hash = q.hash AND t.revoked_at IS NULL
          AND (t.expires_at IS NULL OR t.expires_at > now())
        JOIN users u ON u.id = t.user_id ${NAMED_WORKSPACE} ${MEMBERSHIP_AND_ENVIRONMENT}`;
  }

  async recordUse(addresses: ReadonlyMap<string, string>): Promise<void> {
    await this.database.execute(
      'UPDATE personal_tokens SET last_used_at = now() WHERE id = ANY ($1::text[])',
      [[...addresses.keys()]],
    );
  }
}
