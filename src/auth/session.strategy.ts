import {
  type CredentialStrategy,
  MEMBERSHIP_AND_ENVIRONMENT,
  NAMED_WORKSPACE,
  PERSON,
  RecognisesCredentials,
  SessionCookie,
  WORKSPACE_AND_ENVIRONMENT,
} from '../core/access/index.js';
import { hashToken } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import type { GatehouseRequest } from '../core/http/index.js';

/** A person in the app: the session's cookie, where there is no `Authorization`. */
@RecognisesCredentials()
export class SessionStrategy implements CredentialStrategy {
  readonly name = 'session';
  readonly kind = 'session';

  constructor(
    private readonly cookie: SessionCookie,
    private readonly database: Database,
  ) {}

  hashIn(request: GatehouseRequest): Buffer | null {
    const token = request.headers.authorization === undefined ? this.cookie.read(request) : null;
    return token === null ? null : hashToken(token);
  }

  select(sent: string): string {
    return `
      SELECT q.place, s.id AS "credentialId", NULL AS "credentialName", NULL AS scopes,
        NULL::text[] AS "allowedWorkspaces", NULL AS "boundEnvironment",
        s.confirmed_at > now() - interval '1 hour' AS confirmed, ${PERSON}, ${WORKSPACE_AND_ENVIRONMENT}
      FROM ${sent} q JOIN sessions s ON s.hash = q.hash AND s.expires_at > now()
        JOIN users u ON u.id = s.user_id ${NAMED_WORKSPACE} ${MEMBERSHIP_AND_ENVIRONMENT}`;
  }

  async recordUse(addresses: ReadonlyMap<string, string>): Promise<void> {
    await this.database.execute(
      `UPDATE sessions s SET last_used_at = now(), address = u.address
       FROM unnest($1::text[], $2::text[]) AS u(id, address) WHERE s.id = u.id`,
      [[...addresses.keys()], [...addresses.values()]],
    );
  }
}
