import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';

import { RateLimiter } from '../rate-limit/rate-limiter.js';
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
    RateLimiter,
    RouteAudit,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [Authenticator, RateLimiter],
})
export class AccessModule {}
