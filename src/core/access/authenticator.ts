import { Injectable } from '@nestjs/common';

import { Settings } from '../config/settings.js';
import { hashToken, tokenKind } from '../crypto/tokens.js';
import { Forbidden } from '../http/errors.js';
import { type GatehouseRequest, singleHeader } from '../http/request.js';
import { CredentialsRepository, type Authenticated } from './credentials.repository.js';
import { SESSION_COOKIE, readCookie } from './session-cookie.js';

const NOBODY = Promise.resolve(null);
const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Finds out who sends a request: by bearer token, or by the session cookie where there is no `Authorization`. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly credentials: CredentialsRepository,
    private readonly settings: Settings,
  ) {}

  /** As `identify`, and a change was not asked for by another site. */
  async authenticate(request: GatehouseRequest): Promise<Authenticated | null> {
    const found = await this.identify(request);
    if (found) this.checkOriginOf(request, found);
    return found;
  }

  /** Whether there is anything to judge. */
  isPresented(request: GatehouseRequest): boolean {
    return (
      request.headers.authorization !== undefined ||
      readCookie(request.headers.cookie, SESSION_COOKIE) !== null
    );
  }

  /** null: no credential, or one that is not good. */
  identify(request: GatehouseRequest): Promise<Authenticated | null> {
    const workspace = singleHeader(request, 'x-workspace');
    const environment = singleHeader(request, 'x-environment');
    const authorization = singleHeader(request, 'authorization');
    if (authorization !== null) {
      const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
      const kind = token === undefined ? null : tokenKind(token);
      if (!kind || (kind === 'personal' && !this.settings.personalTokens)) return NOBODY;
      return this.credentials.findToken(kind, hashToken(token!), workspace, environment);
    }
    const session = readCookie(request.headers.cookie, SESSION_COOKIE);
    if (session === null) return NOBODY;
    return this.credentials.findSession(hashToken(session), workspace, environment);
  }

  checkOriginOf(request: GatehouseRequest, { caller }: Authenticated): void {
    if (caller.kind === 'session' && CHANGES.has(request.method)) this.checkOrigin(request);
  }

  /**
   * A page of another site may make a browser send our cookie along; it cannot hide where it comes from. Clients that
   * are not browsers send no such headers, and no foreign page steers them.
   */
  checkOrigin(request: GatehouseRequest): void {
    const origin = singleHeader(request, 'origin');
    const site = singleHeader(request, 'sec-fetch-site');
    const own = new Set([
      new URL(this.settings.baseUrl).origin,
      `${request.protocol}://${request.headers.host}`,
    ]);
    const foreign =
      origin === null ? site !== null && site !== 'same-origin' && site !== 'none' : !own.has(origin);
    if (foreign)
      throw new Forbidden('This change was asked for by a page of another site (see the Origin header).');
  }
}
