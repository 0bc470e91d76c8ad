import { Injectable } from '@nestjs/common';

import { type AuditActor, AuditTrail } from '../audit/index.js';
import { Database } from '../core/database/database.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { SessionsRepository } from './sessions.repository.js';
import { UsersRepository } from './users.repository.js';

/** A password that is set without the old one: whoever knew that one is signed out, and no other link sets it again. */
@Injectable()
export class NewPassword {
  constructor(
    private readonly database: Database,
    private readonly users: UsersRepository,
    private readonly sessions: SessionsRepository,
    private readonly resets: PasswordResetsRepository,
    private readonly audit: AuditTrail,
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
      for (const workspace of await this.users.workspacesOf(userId)) {
        await this.audit.record(workspace.id, by, 'user.password_reset', { type: 'user', id: userId });
      }
      return true;
    });
  }
}
