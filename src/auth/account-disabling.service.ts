import { Injectable } from '@nestjs/common';

import type { AuditActor } from '../audit/index.js';
import { AccountAuditService } from './account-audit.service.js';
import { CredentialEndingService, type EndedCredentials } from './credential-ending.service.js';
import { FactorStateService } from './factors/factor-state.service.js';
import { UsersRepository } from './users.repository.js';

/** Accounts that the operator or a company's directory disables: nothing opens them, and nobody signs in to them. */
@Injectable()
export class AccountDisablingService {
  constructor(
    private readonly users: UsersRepository,
    private readonly credentials: CredentialEndingService,
    private readonly factors: FactorStateService,
    private readonly audit: AccountAuditService,
  ) {}

  /** Part of the surrounding transaction, while the person is in their workspaces yet. null: it is disabled already. */
  async disable(userId: string, by: AuditActor, way?: string): Promise<EndedCredentials | null> {
    if (!(await this.users.setDisabled(userId, true))) return null;
    const ended = await this.credentials.endAll(userId);
    const target = { type: 'user', id: userId };
    const details = { ...ended, ...(way !== undefined && { way }) };
    await this.audit.record({ userId, by, action: 'user.disabled', target, details });
    return ended;
  }

  /** Part of the surrounding transaction: whoever comes back does not come back by what they knew or had. */
  async forgetSecrets(userId: string): Promise<void> {
    await this.users.clearPassword(userId);
    await this.factors.removeAll(userId);
  }

  /** Part of the surrounding transaction. False: it is not disabled. */
  async enable(userId: string, by: AuditActor, way?: string): Promise<boolean> {
    if (!(await this.users.setDisabled(userId, false))) return false;
    const target = { type: 'user', id: userId };
    const details = way === undefined ? {} : { way };
    await this.audit.record({ userId, by, action: 'user.enabled', target, details });
    return true;
  }
}
