import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AccountAuditService } from './account-audit.service.js';
import { FactorStateService } from './factors/factor-state.service.js';
import { Passkey } from './factors/passkey.entity.js';
import { PasskeysRepository } from './factors/passkeys.repository.js';
import { RecoveryCode } from './factors/recovery-code.entity.js';
import { RecoveryCodesRepository } from './factors/recovery-codes.repository.js';
import { TotpResealing } from './factors/totp-resealing.js';
import { TotpSecret } from './factors/totp-secret.entity.js';
import { TotpSecretsRepository } from './factors/totp-secrets.repository.js';
import { NewPasswordService } from './new-password.service.js';
import { PasswordReset } from './password-reset.entity.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { Session } from './session.entity.js';
import { SessionsRepository } from './sessions.repository.js';
import { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

const ACCOUNTS = [
  AccountAuditService,
  FactorStateService,
  NewPasswordService,
  PasskeysRepository,
  PasswordResetsRepository,
  RecoveryCodesRepository,
  SessionsRepository,
  TotpResealing,
  TotpSecretsRepository,
  UsersRepository,
  UsersService,
];

/** People and their passwords, without any way to sign in: the operator's commands need no more. */
@Module({
  imports: [TypeOrmModule.forFeature([Passkey, PasswordReset, RecoveryCode, Session, TotpSecret, User])],
  providers: ACCOUNTS,
  exports: ACCOUNTS,
})
export class AccountsModule {}
