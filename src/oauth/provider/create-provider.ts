import { Logger } from '@nestjs/common';
import Provider from 'oidc-provider';

import type { AgentGrantsService } from '../../auth/index.js';
import type { Authenticator } from '../../core/access/index.js';
import { issueToken } from '../../core/crypto/index.js';
import type { ArtifactStore } from '../artifact-store.js';
import { COMMAND_LINE } from '../oauth-clients.js';
import type { RegisteredClients } from '../registered-clients.js';
import { AccessTokenAdapter } from './access-token-adapter.js';
import { ArtifactAdapter } from './artifact-adapter.js';
import { configurationOf, type ProviderParts } from './configuration.js';
import { GrantAdapter } from './grant-adapter.js';
import { assertLibraryVersion } from './library-version.js';
import { useOwnSessions } from './login-session.js';
import { keepToOwnPages } from './own-pages.js';

interface ProviderSources extends Omit<ProviderParts, 'adapter'> {
  store: ArtifactStore;
  clients: RegisteredClients;
  grants: AgentGrantsService;
  authenticator: Authenticator;
}

/** The authorization server: the library's, with our tables, tokens and sessions. */
export function createProvider(sources: ProviderSources): Provider {
  assertLibraryVersion();
  const { urls, store, clients, grants, authenticator } = sources;
  const adapter = (kind: string) => {
    if (kind === 'AccessToken') return new AccessTokenAdapter(grants);
    if (kind === 'Grant') return new GrantAdapter(grants, urls.resource);
    return new ArtifactAdapter(kind, store, clients, grants);
  };
  const provider = new Provider(urls.issuer, configurationOf({ ...sources, adapter }));
  // `AuthorizationServer` writes the headers of which this makes the library take notice.
  provider.proxy = true;
  useOwnTokens(provider);
  useOwnSessions(provider, authenticator);
  keepToOwnPages(provider, urls, grants);
  const logger = new Logger('OAuth');
  // Never with the request: its parameters are secret.
  provider.on('server_error', (_context, error) => logger.error(error.stack ?? error.message));
  return provider;
}

/** Tokens look like all others of ours. A mistyped one costs no look-up, and a leaked one is recognised. */
function useOwnTokens(provider: Provider): void {
  const access = provider.AccessToken.prototype as unknown as {
    clientId: string;
    generateTokenId(): string;
  };
  const librarys = access.generateTokenId;
  access.generateTokenId = function (this: typeof access): string {
    // It also remembers the token's format.
    librarys.call(this);
    // What a person types at their own terminal is not what an agent decides to do.
    return issueToken(this.clientId === COMMAND_LINE.client_id ? 'commandLine' : 'access').token;
  };
  const refresh = provider.RefreshToken.prototype as unknown as { generateTokenId(): string };
  refresh.generateTokenId = () => issueToken('refresh').token;
}
