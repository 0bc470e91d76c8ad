import { Global, Module } from '@nestjs/common';

import { AccessLosses } from './access-losses.js';
import { Authenticator } from './authenticator.js';
import { CredentialCheck } from './credential-check.js';
import { CredentialUse } from './credential-use.js';
import { CredentialsRepository } from './credentials.repository.js';
import { LiveAnswers } from './live-answers.js';
import { RouteAudit } from './route-audit.js';
import { SessionCookie } from './session-cookie.js';

@Global()
@Module({
  providers: [
    AccessLosses,
    Authenticator,
    CredentialCheck,
    CredentialsRepository,
    CredentialUse,
    LiveAnswers,
    RouteAudit,
    SessionCookie,
  ],
  exports: [AccessLosses, Authenticator, CredentialCheck, LiveAnswers, SessionCookie],
})
export class AccessModule {}
