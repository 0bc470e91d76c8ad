import { bearerTokenHash, type CredentialStrategy, RecognisesCredentials } from '../core/access/index.js';
import type { GatehouseRequest } from '../core/http/index.js';
import { ApiKeysRepository } from './api-keys.repository.js';
import { liveApiKeys } from './api-keys.sql.js';

/** A workspace's API key, which may be bound to one environment. */
@RecognisesCredentials()
export class ApiKeyStrategy implements CredentialStrategy {
  readonly name = 'api_key';
  readonly kind = 'api_key';
  readonly select = liveApiKeys;

  constructor(private readonly keys: ApiKeysRepository) {}

  hashIn(request: GatehouseRequest): Buffer | null {
    return bearerTokenHash(request, 'apiKey');
  }

  expiredAt(hash: Buffer): Promise<Date | null> {
    return this.keys.expiredAt(hash);
  }

  async recordUse(addresses: ReadonlyMap<string, string>): Promise<void> {
    await this.keys.recordUse(addresses);
  }
}
