import { Injectable } from '@nestjs/common';

import { Settings } from '../config/settings.js';
import { type TokenKind, hashToken, tokenKind } from '../crypto/tokens.js';
import { Forbidden } from '../errors/problems.js';
import { type GatehouseRequest, singleHeader } from '../http/request.js';
import type { CallerKind } from './caller.js';
import { type Authenticated, CredentialsRepository, type SentCredential } from './credentials.repository.js';
import { SessionCookie } from './session-cookie.js';

/** What a kind of token makes its holder. */
const CALLERS: Record<TokenKind, CallerKind> = {
  apiKey: 'api_key',
  personal: 'personal_token',
  access: 'agent',
};

const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Finds out who sends a request: by bearer token, or by the session cookie where there is no `Authorization`. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly credentials: CredentialsRepository,
    private readonly cookie: SessionCookie,
    private readonly settings: Settings,
  ) {}

  /** As `identify`, and a change was not asked for by another site. */
  async authenticate(request: GatehouseRequest): Promise<Authenticated | null> {
    const found = await this.identify(request);
    if (found) this.checkOriginOf(request, found);
    return found;
  }

  /** null: no credential, or one that is not good. */
  async identify(request: GatehouseRequest): Promise<Authenticated | null> {
    const sent = this.sentWith(request);
    return sent && (await this.credentials.find(sent));
  }

  /** Whether there is anything to judge. */
  isPresented(request: GatehouseRequest): boolean {
    return request.headers.authorization !== undefined || this.cookie.read(request) !== null;
  }

  /** What a request shows of who sends it; null: nothing that could be a credential. */
  sentWith(request: GatehouseRequest): SentCredential | null {
    const named = {
      workspace: singleHeader(request, 'x-workspace'),
      environment: singleHeader(request, 'x-environment'),
    };
    const authorization = singleHeader(request, 'authorization');
    if (authorization !== null) {
      const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
      const kind = token === undefined ? null : tokenKind(token);
      if (!kind || (kind === 'personal' && !this.settings.personalTokens)) return null;
      return { kind: CALLERS[kind], hash: hashToken(token!), ...named };
    }
    const session = this.cookie.read(request);
    return session === null ? null : { kind: 'session', hash: hashToken(session), ...named };
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
