import { bearerTokenHash, type CredentialStrategy, RecognisesCredentials } from '../core/access/index.js';
import { Settings } from '../core/config/index.js';
import type { GatehouseRequest } from '../core/http/index.js';
import { PersonalTokensRepository } from './personal-tokens.repository.js';
import { livePersonalTokens } from './personal-tokens.sql.js';

/** A personal access token, unless `GATEHOUSE_PERSONAL_TOKENS` is off. */
@RecognisesCredentials()
export class PersonalTokenStrategy implements CredentialStrategy {
  readonly name = 'personal_token';
  readonly kind = 'personal_token';
  readonly select = livePersonalTokens;

  constructor(
    private readonly settings: Settings,
    private readonly tokens: PersonalTokensRepository,
  ) {}

  hashIn(request: GatehouseRequest): Buffer | null {
    return this.settings.personalTokens ? bearerTokenHash(request, 'personal') : null;
  }

  expiredAt(hash: Buffer): Promise<Date | null> {
    return this.tokens.expiredAt(hash);
  }

  async recordUse(addresses: ReadonlyMap<string, string>): Promise<void> {
    await this.tokens.recordUse(addresses);
  }
}
