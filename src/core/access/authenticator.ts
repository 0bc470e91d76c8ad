import { Injectable } from '@nestjs/common';

import { type GatehouseRequest, singleHeader } from '../http/index.js';
import { CredentialStrategies } from './credential-strategies.js';
import { CredentialsRepository, type SentCredential } from './credentials.repository.js';
import type { Identity } from './identity.js';

/** Finds out who sends a request. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly strategies: CredentialStrategies,
    private readonly credentials: CredentialsRepository,
  ) {}

  /** null: no credential, or one that is not good. */
  async identify(request: GatehouseRequest): Promise<Identity | null> {
    const sent = this.sentWith(request);
    return sent && (await this.credentials.find(sent));
  }

  /** When the credential that the request carries expired; null where it is no good for another reason. */
  async expiredAt(request: GatehouseRequest): Promise<Date | null> {
    const sent = this.sentWith(request);
    return (await sent?.strategy.expiredAt?.(sent.hash)) ?? null;
  }

  /** Whether the request carries anything that is meant as a credential, well-formed or not. */
  isPresented(request: GatehouseRequest): boolean {
    return request.headers.authorization !== undefined || this.sentWith(request) !== null;
  }

  /** The credential that the request carries; null: nothing that could be one. */
  sentWith(request: GatehouseRequest): SentCredential | null {
    for (const strategy of this.strategies.all()) {
      const hash = strategy.hashIn(request);
      if (hash === null) continue;
      return {
        strategy,
        hash,
        workspace: singleHeader(request, 'x-workspace'),
        environment: singleHeader(request, 'x-environment'),
      };
    }
    return null;
  }
}
