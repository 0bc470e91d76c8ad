import { Injectable } from '@nestjs/common';

import { type AuditEntry, AuditTrail, inTheApp } from '../audit/index.js';
import type { SignInPlace } from './sessions.service.js';
import { UsersRepository } from './users.repository.js';

/** What happens to somebody's account or credentials. */
interface AccountChange extends Omit<AuditEntry, 'workspaceId'> {
  userId: string;
  /** The only workspaces that it is about; null or absent for all that the person is in. */
  workspaceIds?: readonly string[] | null;
}

/**
 * Accounts belong to no workspace, so the audit trail of each of the person's workspaces gets an entry; where there is
 * none, the instance's.
 */
@Injectable()
export class AccountAuditService {
  constructor(
    private readonly users: UsersRepository,
    private readonly audit: AuditTrail,
  ) {}

  /** To be called in the transaction of the change. */
  async record({ userId, workspaceIds = null, ...entry }: AccountChange): Promise<void> {
    const workspaces = await this.users.workspacesOf(userId);
    const concerned = workspaces.filter(({ id }) => workspaceIds?.includes(id) ?? true);
    const ids = concerned.length === 0 ? [null] : concerned.map(({ id }) => id);
    await this.audit.recordMany(ids.map((workspaceId) => ({ ...entry, workspaceId })));
  }

  /** By another way than a password. */
  recordSignIn(userId: string, way: string, { address }: SignInPlace): Promise<void> {
    const target = { type: 'user', id: userId };
    const by = inTheApp(userId, address);
    return this.record({ userId, by, action: 'user.signed_in', target, details: { way } });
  }
}
