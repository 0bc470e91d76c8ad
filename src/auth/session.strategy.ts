import { type CredentialStrategy, RecognisesCredentials, SessionCookie } from '../core/access/index.js';
import { hashToken } from '../core/crypto/index.js';
import type { GatehouseRequest } from '../core/http/index.js';
import { SessionsRepository } from './sessions.repository.js';
import { liveSessions } from './sessions.sql.js';

/** A person in the app: the session's cookie, where there is no `Authorization`. */
@RecognisesCredentials()
export class SessionStrategy implements CredentialStrategy {
  readonly name = 'session';
  readonly kind = 'session';
  readonly select = liveSessions;

  constructor(
    private readonly cookie: SessionCookie,
    private readonly sessions: SessionsRepository,
  ) {}

  hashIn(request: GatehouseRequest): Buffer | null {
    const token = request.headers.authorization === undefined ? this.cookie.read(request) : null;
    return token === null ? null : hashToken(token);
  }

  recordUse(addresses: ReadonlyMap<string, string>): Promise<void> {
    return this.sessions.recordUse(addresses);
  }
}
