import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import type { Caller } from '../core/access/caller.js';
import { hashPassword, verifyPassword } from '../core/crypto/passwords.js';
import { Database } from '../core/database/database.js';
import { InvalidRequest } from '../core/errors/problems.js';
import type { PasswordChangeInput } from './auth.dto.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { Sessions } from './sessions.service.js';
import { normalizePassword } from './sign-in-text.js';
import { UsersRepository } from './users.repository.js';

@Injectable()
export class PasswordChange {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: Sessions,
    private readonly resets: PasswordResetsRepository,
    private readonly audit: AuditTrail,
    private readonly database: Database,
  ) {}

  /**
   * Whoever else is signed in as this person is not any more, and no link that was mailed before sets another one. The
   * old password counts as given anew.
   */
  async change(caller: Caller, { current, next }: PasswordChangeInput): Promise<void> {
    const { id } = caller.person!;
    const user = await this.users.find(id);
    const stored = user?.passwordHash ?? null;
    if (!(await verifyPassword(stored, normalizePassword(current), id))) throw wrongPassword();
    const hash = await hashPassword(normalizePassword(next), id);
    await this.database.transaction(async () => {
      if (!(await this.users.replacePassword(id, stored!, hash))) throw wrongPassword();
      await this.sessions.closeOthers(caller);
      await this.sessions.confirm(caller, hash);
      await this.resets.useAll(id);
      for (const workspace of await this.users.workspacesOf(id)) {
        await this.audit.record(workspace.id, caller, 'user.password_changed', { type: 'user', id });
      }
    });
  }
}

function wrongPassword(): InvalidRequest {
  return InvalidRequest.at('current', 'is not your password');
}
