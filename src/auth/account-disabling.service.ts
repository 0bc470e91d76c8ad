import { Injectable } from '@nestjs/common';

import type { AuditActor } from '../audit/index.js';
import { AccountAuditService } from './account-audit.service.js';
import { CredentialEndingService, type EndedCredentials } from './credential-ending.service.js';
import { UsersRepository } from './users.repository.js';

/** Accounts that the operator disables: nothing opens them, and nobody signs in to them. */
@Injectable()
export class AccountDisablingService {
  constructor(
    private readonly users: UsersRepository,
    private readonly credentials: CredentialEndingService,
    private readonly audit: AccountAuditService,
  ) {}

  /** Part of the surrounding transaction, while the person is in their workspaces yet. null: it is disabled already. */
  async disable(userId: string, by: AuditActor): Promise<EndedCredentials | null> {
    if (!(await this.users.setDisabled(userId, true))) return null;
    const ended = await this.credentials.endAll(userId);
    const target = { type: 'user', id: userId };
    await this.audit.record({ userId, by, action: 'user.disabled', target, details: { ...ended } });
    return ended;
  }

  /** Part of the surrounding transaction. False: it is not disabled. */
  async enable(userId: string, by: AuditActor): Promise<boolean> {
    if (!(await this.users.setDisabled(userId, false))) return false;
    await this.audit.record({ userId, by, action: 'user.enabled', target: { type: 'user', id: userId } });
    return true;
  }
}
