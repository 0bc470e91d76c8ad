import { Logger } from '@nestjs/common';

import type { AgentGrantsService } from '../../auth/index.js';
import type { Authenticator } from '../../core/access/authenticator.js';
import { issueToken } from '../../core/crypto/tokens.js';
import type { ArtifactStore } from '../artifact-store.js';
import { AccessTokenAdapter } from './access-token-adapter.js';
import { ArtifactAdapter } from './artifact-adapter.js';
import { configurationOf, type ProviderParts } from './configuration.js';
import { GrantAdapter } from './grant-adapter.js';
import { useOwnSessions } from './login-session.js';
import { Provider } from './provider-library.js';

export interface ProviderSources extends Omit<ProviderParts, 'adapter'> {
  store: ArtifactStore;
  grants: AgentGrantsService;
  authenticator: Authenticator;
  behindProxy: boolean;
}

/** The authorization server: the library's, with our tables, tokens and sessions. */
export function createProvider(sources: ProviderSources): Provider {
  const { addresses, store, grants, authenticator } = sources;
  const adapter = (kind: string) => {
    if (kind === 'AccessToken') return new AccessTokenAdapter(grants);
    if (kind === 'Grant') return new GrantAdapter(grants, addresses.resource);
    return new ArtifactAdapter(kind, store, grants);
  };
  const provider = new Provider(addresses.issuer, configurationOf({ ...sources, adapter }));
  provider.proxy = sources.behindProxy;
  useOwnTokens(provider);
  useOwnSessions(provider, authenticator);
  const logger = new Logger('OAuth');
  // Never with the request: its parameters are secret.
  provider.on('server_error', (_context, error) => logger.error(error.stack ?? error.message));
  return provider;
}

/** Tokens look like all others of ours, so that a mistyped one costs no look-up and a leaked one is recognised. */
function useOwnTokens(provider: Provider): void {
  const access = provider.AccessToken.prototype as unknown as { generateTokenId(): string };
  const librarys = access.generateTokenId;
  access.generateTokenId = function (): string {
    // It also remembers the token's format.
    librarys.call(this);
    return issueToken('access').token;
  };
  const refresh = provider.RefreshToken.prototype as unknown as { generateTokenId(): string };
  refresh.generateTokenId = () => issueToken('refresh').token;
}
