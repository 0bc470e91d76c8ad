import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { AccessLosses } from './access-losses.js';
import { Authenticator } from './authenticator.js';
import { CallerInEnvironment } from './caller-in-environment.js';
import { CredentialCheck } from './credential-check.js';
import { CredentialStrategies } from './credential-strategies.js';
import { CredentialUse } from './credential-use.js';
import { CredentialsRepository } from './credentials.repository.js';
import { ExtensionRoutes } from './extension-routes.js';
import { LiveResponses } from './live-responses.js';
import { RouteAudit } from './route-audit.js';
import { SameOriginGuard } from './same-origin.guard.js';
import { SessionCookie } from './session-cookie.js';
import { SubjectVisibility } from './subject-visibility.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    AccessLosses,
    Authenticator,
    CallerInEnvironment,
    CredentialCheck,
    CredentialStrategies,
    CredentialsRepository,
    CredentialUse,
    ExtensionRoutes,
    LiveResponses,
    RouteAudit,
    SameOriginGuard,
    SessionCookie,
    SubjectVisibility,
  ],
  exports: [
    AccessLosses,
    Authenticator,
    CallerInEnvironment,
    CredentialCheck,
    LiveResponses,
    SessionCookie,
    SubjectVisibility,
  ],
})
export class AccessModule {}
