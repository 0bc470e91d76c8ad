import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';

import { AccessGuard } from './access.guard.js';
import { AccessLosses } from './access-losses.js';
import { Authenticator } from './authenticator.js';
import { CredentialCheck } from './credential-check.js';
import { CredentialUse } from './credential-use.js';
import { CredentialsRepository } from './credentials.repository.js';
import { RouteAudit } from './route-audit.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    AccessLosses,
    Authenticator,
    CredentialCheck,
    CredentialsRepository,
    CredentialUse,
    RouteAudit,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [AccessLosses, Authenticator, CredentialCheck],
})
export class AccessModule {}
