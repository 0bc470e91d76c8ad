import { Injectable } from '@nestjs/common';
import type { Provider } from 'oidc-provider';

import { AgentGrantsService } from '../auth/index.js';
import { Authenticator } from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import { NotFound } from '../core/errors/index.js';
import type { GatehouseRequest, GatehouseResponse } from '../core/http/index.js';
import { addressGroup, RateLimiter, type RatePolicy } from '../core/rate-limit/index.js';
import { ArtifactStore } from './artifact-store.js';
import { ClientDocumentFetcher } from './client-document-fetcher.js';
import { OAuthUrls } from './oauth-urls.js';
import { RegisteredClients } from './registered-clients.js';

const PER_ADDRESS: RatePolicy = { name: 'oauth', perMinute: 120, burst: 60 };
/** An app registers once and keeps that. Many people may share an address. */
const REGISTRATIONS: RatePolicy = { name: 'oauth-registrations', perMinute: 10, burst: 20 };

/** Whatever the library may send that a browser draws: it loads nothing, sends nothing and is in nobody's frame. */
const PAGE_HEADERS = new Map([
  [
    'content-security-policy',
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
]);

/** Hands the requests of OAuth's own routes to the library. It is loaded by the first of them, since that takes half a second. */
@Injectable()
export class AuthorizationServer {
  private loading: Promise<Provider> | null = null;

  constructor(
    private readonly settings: Settings,
    private readonly urls: OAuthUrls,
    private readonly documents: ClientDocumentFetcher,
    private readonly store: ArtifactStore,
    private readonly clients: RegisteredClients,
    private readonly grants: AgentGrantsService,
    private readonly authenticator: Authenticator,
    private readonly limiter: RateLimiter,
  ) {}

  provider(): Promise<Provider> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = null;
      throw error;
    });
    return this.loading;
  }

  /** Responds by itself, with the protocol's own errors. */
  async handle(request: GatehouseRequest, response: GatehouseResponse): Promise<void> {
    await this.takeFromLimit(request.ip, PER_ADDRESS);
    const provider = await this.provider();
    response.setHeaders(PAGE_HEADERS);
    await provider.callback()(this.asSentToUs(request), response);
  }

  async register(request: GatehouseRequest, response: GatehouseResponse): Promise<void> {
    if (!this.settings.oauthRegistration) throw new NotFound('route: apps cannot register here');
    await this.takeFromLimit(request.ip, REGISTRATIONS);
    await this.handle(request, response);
  }

  private async takeFromLimit(address: string, policy: RatePolicy): Promise<void> {
    if (this.settings.rateLimit === 0) return;
    await this.limiter.demand(addressGroup(address), policy, 'Too many requests of apps from this address.');
  }

  /**
   * The request as the person's browser sent it. A proxy has taken off TLS and the beginning of the path. The library
   * would believe any headers about them, so the headers say what we know.
   */
  private asSentToUs(request: GatehouseRequest): GatehouseRequest {
    request.originalUrl = this.urls.basePath + request.originalUrl;
    const { protocol, host } = new URL(this.urls.issuer);
    Object.assign(request.headers, {
      host,
      'x-forwarded-host': host,
      'x-forwarded-proto': protocol.slice(0, -1),
      'x-forwarded-for': request.ip,
    });
    return request;
  }

  private async load(): Promise<Provider> {
    const { createProvider } = await import('./provider/create-provider.js');
    const { settings, urls, documents, store, clients, grants, authenticator } = this;
    return createProvider({
      urls,
      documents,
      store,
      clients,
      grants,
      authenticator,
      registration: settings.oauthRegistration,
      secureCookies: settings.secureCookies,
    });
  }
}
