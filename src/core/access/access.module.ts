import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { AccessLossHooks } from './access-loss-hooks.js';
import { LateBodyCheck } from './late-body-check.js';
import { Authenticator } from './authenticator.js';
import { EnvironmentCallerResolver } from './environment-caller-resolver.js';
import { CredentialCheck } from './credential-check.js';
import { CredentialStrategies } from './credential-strategies.js';
import { CredentialUseRecorder } from './credential-use-recorder.js';
import { CredentialsRepository } from './credentials.repository.js';
import { DeclaredRoutes } from './declared-routes.js';
import { ExtensionRoutes } from './extension-routes.js';
import { LiveResponses } from './live-responses.js';
import { RecalledCallers } from './recalled-callers.js';
import { RouteAccessCheck } from './route-access-check.js';
import { RouteOwners } from './route-owners.js';
import { SameOriginGuard } from './same-origin.guard.js';
import { SessionCookie } from './session-cookie.js';
import { SubjectVisibility } from './subject-visibility.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    AccessLossHooks,
    LateBodyCheck,
    Authenticator,
    EnvironmentCallerResolver,
    CredentialCheck,
    CredentialStrategies,
    CredentialsRepository,
    CredentialUseRecorder,
    DeclaredRoutes,
    ExtensionRoutes,
    LiveResponses,
    RecalledCallers,
    RouteAccessCheck,
    RouteOwners,
    SameOriginGuard,
    SessionCookie,
    SubjectVisibility,
  ],
  exports: [
    AccessLossHooks,
    LateBodyCheck,
    Authenticator,
    EnvironmentCallerResolver,
    CredentialCheck,
    DeclaredRoutes,
    LiveResponses,
    RecalledCallers,
    SessionCookie,
    SubjectVisibility,
  ],
})
export class AccessModule {}
