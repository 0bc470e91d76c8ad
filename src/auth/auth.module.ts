import { Module } from '@nestjs/common';

import { AgentStrategy } from './agent.strategy.js';
import { AgentGrantsRepository } from './agent-grants.repository.js';
import { AgentGrants } from './agent-grants.service.js';
import { AuthController } from './auth.controller.js';
import { PasswordAttempts } from './password-attempts.js';
import { OwnSessions } from './own-sessions.service.js';
import { PasswordConfirmation } from './password-confirmation.service.js';
import { NewPassword } from './new-password.js';
import { PasswordChange } from './password-change.service.js';
import { PasswordReset } from './password-reset.service.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { PersonalTokenStrategy } from './personal-token.strategy.js';
import { PersonalTokensController } from './personal-tokens.controller.js';
import { PersonalTokensRepository } from './personal-tokens.repository.js';
import { PersonalTokens } from './personal-tokens.service.js';
import { ResetAttempts } from './reset-attempts.js';
import { SessionStrategy } from './session.strategy.js';
import { SessionsRepository } from './sessions.repository.js';
import { Sessions } from './sessions.service.js';
import { SignIn } from './sign-in.service.js';
import { SessionsController } from './sessions.controller.js';
import { UserController } from './user.controller.js';
import { UsersRepository } from './users.repository.js';
import { Users } from './users.service.js';

/** People, how they sign in, and the credentials that act for them. */
@Module({
  controllers: [AuthController, PersonalTokensController, SessionsController, UserController],
  providers: [
    AgentGrants,
    AgentGrantsRepository,
    AgentStrategy,
    NewPassword,
    OwnSessions,
    PasswordAttempts,
    PasswordChange,
    PasswordConfirmation,
    PasswordReset,
    PasswordResetsRepository,
    PersonalTokens,
    PersonalTokensRepository,
    PersonalTokenStrategy,
    ResetAttempts,
    Sessions,
    SessionsRepository,
    SessionStrategy,
    SignIn,
    Users,
    UsersRepository,
  ],
  exports: [AgentGrants, PersonalTokens, Sessions, SignIn, Users],
})
export class AuthModule {}
