import { Injectable } from '@nestjs/common';

import { createSafeFetch, type SafeFetch } from '../../../libs/egress/index.js';
import { Settings } from '../../core/config/index.js';
import { OpenIdProvider, type OpenIdProviderOptions } from './open-id-provider.js';

export { isTrue, type OpenIdClaims } from './open-id-claims.js';
export { type OpenIdPerson, OpenIdProvider, type OpenIdProviderOptions } from './open-id-provider.js';

const MOST_RESPONSE_BYTES = 1_048_576;
const HEADERS_TIMEOUT_MS = 10_000;

/**
 * Providers of OpenID Connect, for a way to sign in.
 *
 * @example
 * ```ts
 * constructor(openId: OpenId) {
 *   this.provider = openId.provider({ issuer: 'https://login.acme.example', clientId, clientSecret });
 * }
 * ```
 */
@Injectable()
export class OpenId {
  private readonly outside: SafeFetch;

  /** @internal */
  constructor({ outboundAllow }: Settings) {
    this.outside = createSafeFetch({
      allow: outboundAllow,
      maxResponseBytes: MOST_RESPONSE_BYTES,
      headersTimeoutMs: HEADERS_TIMEOUT_MS,
    });
  }

  /**
   * A provider, which is asked about itself when somebody signs in for the first time. Only public addresses are
   * dialled, and those of `GATEHOUSE_OUTBOUND_ALLOW`.
   *
   * @throws TypeError where the issuer is no `https:` address, or the client id is empty
   */
  provider(options: OpenIdProviderOptions): OpenIdProvider {
    return new OpenIdProvider(options, this.outside.fetch);
  }

  /**
   * Called by Nest. The published types leave it out, so the class does not say that it implements it.
   *
   * @internal
   */
  onApplicationShutdown(): void {
    this.outside.close();
  }
}
