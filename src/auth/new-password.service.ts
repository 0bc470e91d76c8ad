import { Injectable } from '@nestjs/common';

import type { AuditActor } from '../audit/index.js';
import { Database } from '../core/database/index.js';
import { AccountAuditService } from './account-audit.service.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { SessionsRepository } from './sessions.repository.js';
import { UsersRepository } from './users.repository.js';

/** Sets a password without the old one: it ends all of the person's sessions and makes all mailed links useless. */
@Injectable()
export class NewPasswordService {
  constructor(
    private readonly database: Database,
    private readonly users: UsersRepository,
    private readonly sessions: SessionsRepository,
    private readonly resets: PasswordResetsRepository,
    private readonly audit: AccountAuditService,
  ) {}

  /** `stillAllowed` is asked once the person is locked; where it says no, nothing is changed. */
  async set(
    userId: string,
    passwordHash: string,
    by: AuditActor,
    stillAllowed: () => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<boolean> {
    return this.database.transaction(async () => {
      await this.users.lock(userId);
      if (!(await stillAllowed())) return false;
      await this.users.setPassword(userId, passwordHash);
      await this.sessions.deleteAll(userId);
      await this.resets.useAll(userId);
      const target = { type: 'user', id: userId };
      await this.audit.record({ userId, by, action: 'user.password_reset', target });
      return true;
    });
  }
}
