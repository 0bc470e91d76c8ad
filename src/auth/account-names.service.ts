import { Injectable } from '@nestjs/common';

import type { AuditActor } from '../audit/index.js';
import type { Person } from '../core/access/index.js';
import { violatedConstraint } from '../core/database/index.js';
import { Conflict } from '../core/errors/index.js';
import { AccountAuditService } from './account-audit.service.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { normalizeEmail } from './sign-in-text.js';
import { UsersRepository } from './users.repository.js';

/** The name and address of an account, as a company's directory has them. */
@Injectable()
export class AccountNamesService {
  constructor(
    private readonly users: UsersRepository,
    private readonly resets: PasswordResetsRepository,
    private readonly audit: AccountAuditService,
  ) {}

  /**
   * Part of the surrounding transaction. Links that went to another address open nothing any more.
   *
   * @throws Conflict where another account has the address
   */
  async change(
    { id, ...before }: Person,
    wanted: Omit<Person, 'id'>,
    by: AuditActor,
    way: string,
  ): Promise<void> {
    const after = { email: normalizeEmail(wanted.email), name: wanted.name };
    if (after.email === before.email && after.name === before.name) return;
    await this.users.setNames(id, after).catch((error: unknown) => {
      if (violatedConstraint(error) === 'users_email_key') {
        throw new Conflict(`The address ${after.email} has another account.`);
      }
      throw error;
    });
    if (after.email !== before.email) await this.resets.useAll(id);
    const target = { type: 'user', id };
    const details = { way, ...after, ...(after.email !== before.email && { previousEmail: before.email }) };
    await this.audit.record({ userId: id, by, action: 'user.renamed', target, details });
  }
}
