import { Injectable } from '@nestjs/common';

import type { Caller } from '../core/access/index.js';
import { hashPassword, verifyPassword } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { ConfirmationRequired, InvalidRequest } from '../core/errors/index.js';
import { AccountAuditService } from './account-audit.service.js';
import type { PasswordChangeInput } from './auth.dto.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { SessionsService } from './sessions.service.js';
import { normalizePassword } from './sign-in-text.js';
import { UsersRepository } from './users.repository.js';

@Injectable()
export class PasswordChangeService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly resets: PasswordResetsRepository,
    private readonly audit: AccountAuditService,
    private readonly database: Database,
  ) {}

  /**
   * Ends the person's other sessions and makes mailed links useless. This session counts as confirmed just now, unless that
   * takes a second factor: then it has to be so already.
   *
   * @throws ConfirmationRequired, InvalidRequest where the password is another
   */
  async change(caller: Caller, { current, next }: PasswordChangeInput): Promise<void> {
    const { id } = caller.person!;
    const user = await this.users.find(id);
    const stored = user?.passwordHash ?? null;
    const secondFactor = user?.secondFactor ?? false;
    if (secondFactor && !caller.confirmed) throw new ConfirmationRequired();
    if (!(await verifyPassword(stored, normalizePassword(current), id))) throw wrongPassword();
    const hash = await hashPassword(normalizePassword(next), id);
    await this.database.transaction(async () => {
      if (!(await this.users.replacePassword(id, stored!, hash))) throw wrongPassword();
      await this.sessions.closeOthers(caller);
      if (!secondFactor) await this.sessions.confirm(caller, hash);
      await this.resets.useAll(id);
      const target = { type: 'user', id };
      await this.audit.record({ userId: id, by: caller, action: 'user.password_changed', target });
    });
  }
}

function wrongPassword(): InvalidRequest {
  return InvalidRequest.at('current', 'is not your password');
}
