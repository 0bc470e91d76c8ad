import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AccountsModule } from './accounts.module.js';
import { AccountDisablingService } from './account-disabling.service.js';
import { AccountNamesService } from './account-names.service.js';
import { AddressProofService } from './address-proof.service.js';
import { AgentAccessToken } from './agent-access-token.entity.js';
import { AgentGrant } from './agent-grant.entity.js';
import { AgentGrantsRepository } from './agent-grants.repository.js';
import { AgentGrantsService } from './agent-grants.service.js';
import { AgentStrategy } from './agent.strategy.js';
import { AuthController } from './auth.controller.js';
import { BrowserSession } from './browser-session.js';
import { ConfirmationService } from './confirmation.service.js';
import { CredentialEndingService } from './credential-ending.service.js';
import { CredentialLockService } from './credential-lock.service.js';
import { FactorAttemptsService } from './factors/factor-attempts.service.js';
import { FactorChallenge } from './factors/factor-challenge.entity.js';
import { FactorChallengesRepository } from './factors/factor-challenges.repository.js';
import { FactorChallengesService } from './factors/factor-challenges.service.js';
import { FactorChangesService } from './factors/factor-changes.service.js';
import { FactorCookie } from './factors/factor-cookie.js';
import { FactorNewsService } from './factors/factor-news.service.js';
import { FactorProofService } from './factors/factor-proof.service.js';
import { PasskeySignInService } from './factors/passkey-sign-in.service.js';
import { RelyingParty } from './factors/relying-party.js';
import { SecondFactorsController } from './factors/second-factors.controller.js';
import { SecondFactorsService } from './factors/second-factors.service.js';
import { SecondStepController } from './factors/second-step.controller.js';
import { SecondStepService } from './factors/second-step.service.js';
import { StaffFactorsService } from './factors/staff-factors.service.js';
import { TotpService } from './factors/totp.service.js';
import { OwnSessionsService } from './own-sessions.service.js';
import { PasswordAttemptsService } from './password-attempts.service.js';
import { PasswordChangeService } from './password-change.service.js';
import { PasswordResetService } from './password-reset.service.js';
import { ResetLinksService } from './reset-links.service.js';
import { PersonalToken } from './personal-token.entity.js';
import { PersonalTokenExpiryMailer } from './personal-token-expiry-mailer.js';
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

const FACTORS = [
  FactorAttemptsService,
  FactorChallengesRepository,
  FactorChallengesService,
  FactorChangesService,
  FactorCookie,
  FactorNewsService,
  FactorProofService,
  PasskeySignInService,
  RelyingParty,
  SecondFactorsService,
  SecondStepService,
  StaffFactorsService,
  TotpService,
];

/** People, how they sign in, and the credentials that act for them. */
@Module({
  imports: [
    AccountsModule,
    TypeOrmModule.forFeature([AgentAccessToken, AgentGrant, FactorChallenge, PersonalToken]),
  ],
  controllers: [
    AuthController,
    PersonalTokensController,
    ScopesController,
    SecondFactorsController,
    SecondStepController,
    SessionsController,
    UserController,
  ],
  providers: [
    AccountDisablingService,
    AccountNamesService,
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
    ...FACTORS,
    PasswordResetService,
    ResetLinksService,
    PersonalTokenExpiryMailer,
    PersonalTokensRepository,
    PersonalTokensService,
    CommandLineStrategy,
    ConfirmationService,
    PersonalTokenStrategy,
    ResetAttemptsService,
    SessionStrategy,
    SessionsService,
    SignInService,
  ],
  exports: [
    AccountsModule,
    AccountDisablingService,
    AccountNamesService,
    AddressProofService,
    AgentGrantsService,
    BrowserSession,
    CredentialLockService,
    PersonalTokensService,
    SessionsService,
    StaffFactorsService,
  ],
})
export class AuthModule {}
