import { Global, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';

import { RateLimiter } from '../rate-limit/rate-limiter.js';
import { AccessGuard } from './access.guard.js';
import { AccessLosses } from './access-losses.js';
import { Authenticator } from './authenticator.js';
import { CredentialUse } from './credential-use.js';
import { CredentialsRepository } from './credentials.repository.js';
import { RouteAudit } from './route-audit.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    AccessLosses,
    Authenticator,
    CredentialsRepository,
    CredentialUse,
    RateLimiter,
    RouteAudit,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [AccessLosses, Authenticator, RateLimiter],
})
export class AccessModule {}
