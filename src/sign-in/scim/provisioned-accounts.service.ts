import { Injectable } from '@nestjs/common';

import type { AuditActor } from '../../audit/index.js';
import { AccountAuditService } from '../../auth/index.js';
import { Database } from '../../core/database/index.js';
import { ScimUsersRepository } from './scim-users.repository.js';

/** What the operator decides about people whom a company's directory manages. */
@Injectable()
export class ProvisionedAccountsService {
  constructor(
    private readonly people: ScimUsersRepository,
    private readonly audit: AccountAuditService,
    private readonly database: Database,
  ) {}

  /**
   * From here on the directory enables an account no more that it has disabled. To be called before the operator disables
   * it, in a transaction of its own: directories lock in another order.
   *
   * @returns false where it was no directory that disabled the account
   */
  keepDisabled(userId: string, by: AuditActor): Promise<boolean> {
    return this.database.transaction(async () => {
      if (!(await this.people.forgetDisabling(userId))) return false;
      const target = { type: 'user', id: userId };
      await this.audit.record({ userId, by, action: 'user.disabled', target });
      return true;
    });
  }
}
