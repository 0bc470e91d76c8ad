import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { AccountAuditService } from './account-audit.service.js';
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
  NewPasswordService,
  PasswordResetsRepository,
  SessionsRepository,
  UsersRepository,
  UsersService,
];

/** People and their passwords, without any way to sign in: the operator's commands need no more. */
@Module({
  imports: [TypeOrmModule.forFeature([PasswordReset, Session, User])],
  providers: ACCOUNTS,
  exports: ACCOUNTS,
})
export class AccountsModule {}
