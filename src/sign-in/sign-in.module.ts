import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AuthModule } from '../auth/index.js';
import { WorkspacesModule } from '../workspaces/index.js';
import { AdmissionService } from './admission.service.js';
import { BeginSignInService } from './begin-sign-in.service.js';
import { ExternalIdentitiesRepository } from './external-identities.repository.js';
import { ExternalIdentity } from './external-identity.entity.js';
import { FinishSignInService } from './finish-sign-in.service.js';
import { ProvenAccountsService } from './proven-accounts.service.js';
import { SignInAttempt } from './sign-in-attempt.entity.js';
import { SignInAttemptsRepository } from './sign-in-attempts.repository.js';
import { SignInCallbackController } from './sign-in-callback.controller.js';
import { SignInCookie } from './sign-in-cookie.js';
import { SignInWaysController } from './sign-in-ways.controller.js';
import { SignInWays } from './sign-in-ways.js';

/** Signing in at somebody else's: the ways that extensions bring, and what follows from what they say. */
@Module({
  imports: [
    AuthModule,
    DiscoveryModule,
    TypeOrmModule.forFeature([ExternalIdentity, SignInAttempt]),
    WorkspacesModule,
  ],
  controllers: [SignInCallbackController, SignInWaysController],
  providers: [
    AdmissionService,
    BeginSignInService,
    ExternalIdentitiesRepository,
    FinishSignInService,
    ProvenAccountsService,
    SignInAttemptsRepository,
    SignInCookie,
    SignInWays,
  ],
})
export class SignInModule {}
