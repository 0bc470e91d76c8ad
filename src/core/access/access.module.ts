import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';

import { AccessGuard } from './access.guard.js';
import { Authenticator } from './authenticator.js';
import { CredentialUse } from './credential-use.js';
import { CredentialsRepository } from './credentials.repository.js';
import { RouteAudit } from './route-audit.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    Authenticator,
    CredentialsRepository,
    CredentialUse,
    RouteAudit,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [Authenticator],
})
export class AccessModule {}
