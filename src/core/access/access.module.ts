import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { AccessLosses } from './access-losses.js';
import { AccessRecheck } from './access-recheck.js';
import { Authenticator } from './authenticator.js';
import { CallerInEnvironment } from './caller-in-environment.js';
import { CredentialCheck } from './credential-check.js';
import { CredentialStrategies } from './credential-strategies.js';
import { CredentialUse } from './credential-use.js';
import { CredentialsRepository } from './credentials.repository.js';
import { DeclaredRoutes } from './declared-routes.js';
import { ExtensionRoutes } from './extension-routes.js';
import { LiveResponses } from './live-responses.js';
import { RouteAudit } from './route-audit.js';
import { RouteOwners } from './route-owners.js';
import { SameOriginGuard } from './same-origin.guard.js';
import { SessionCookie } from './session-cookie.js';
import { SubjectVisibility } from './subject-visibility.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    AccessLosses,
    AccessRecheck,
    Authenticator,
    CallerInEnvironment,
    CredentialCheck,
    CredentialStrategies,
    CredentialsRepository,
    CredentialUse,
    DeclaredRoutes,
    ExtensionRoutes,
    LiveResponses,
    RouteAudit,
    RouteOwners,
    SameOriginGuard,
    SessionCookie,
    SubjectVisibility,
  ],
  exports: [
    AccessLosses,
    AccessRecheck,
    Authenticator,
    CallerInEnvironment,
    CredentialCheck,
    DeclaredRoutes,
    LiveResponses,
    SessionCookie,
    SubjectVisibility,
  ],
})
export class AccessModule {}
