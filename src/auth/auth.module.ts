import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AccountsModule } from './accounts.module.js';
import { AccountDisablingService } from './account-disabling.service.js';
import { AddressProofService } from './address-proof.service.js';
import { AgentAccessToken } from './agent-access-token.entity.js';
import { AgentGrant } from './agent-grant.entity.js';
import { AgentGrantsRepository } from './agent-grants.repository.js';
import { AgentGrantsService } from './agent-grants.service.js';
import { AgentStrategy } from './agent.strategy.js';
import { AuthController } from './auth.controller.js';
import { BrowserSession } from './browser-session.js';
import { CredentialEndingService } from './credential-ending.service.js';
import { CredentialLockService } from './credential-lock.service.js';
import { OwnSessionsService } from './own-sessions.service.js';
import { PasswordAttemptsService } from './password-attempts.service.js';
import { PasswordChangeService } from './password-change.service.js';
import { PasswordConfirmationService } from './password-confirmation.service.js';
import { PasswordResetService } from './password-reset.service.js';
import { PersonalToken } from './personal-token.entity.js';
import { CommandLineStrategy } from './command-line.strategy.js';
import { PersonalTokenStrategy } from './personal-token.strategy.js';
import { PersonalTokensController } from './personal-tokens.controller.js';
import { PersonalTokensRepository } from './personal-tokens.repository.js';
import { PersonalTokensService } from './personal-tokens.service.js';
import { ResetAttemptsService } from './reset-attempts.service.js';
import { ScopesController } from './scopes.controller.js';
import { SessionStrategy } from './session.strategy.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { SignInService } from './sign-in.service.js';
import { UserController } from './user.controller.js';

/** People, how they sign in, and the credentials that act for them. */
@Module({
  imports: [AccountsModule, TypeOrmModule.forFeature([AgentAccessToken, AgentGrant, PersonalToken])],
  controllers: [
    AuthController,
    PersonalTokensController,
    ScopesController,
    SessionsController,
    UserController,
  ],
  providers: [
    AccountDisablingService,
    AddressProofService,
    AgentGrantsRepository,
    AgentGrantsService,
    AgentStrategy,
    BrowserSession,
    CredentialEndingService,
    CredentialLockService,
    OwnSessionsService,
    PasswordAttemptsService,
    PasswordChangeService,
    PasswordConfirmationService,
    PasswordResetService,
    PersonalTokensRepository,
    PersonalTokensService,
    CommandLineStrategy,
    PersonalTokenStrategy,
    ResetAttemptsService,
    SessionStrategy,
    SessionsService,
    SignInService,
  ],
  exports: [
    AccountsModule,
    AccountDisablingService,
    AddressProofService,
    AgentGrantsService,
    BrowserSession,
    CredentialLockService,
    PersonalTokensService,
    SessionsService,
  ],
})
export class AuthModule {}
