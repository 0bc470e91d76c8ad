import { Injectable } from '@nestjs/common';

import { AuditTrail } from '../audit/index.js';
import type { Caller } from '../core/access/caller.js';
import { isId } from '../core/crypto/ids.js';
import { Database } from '../core/database/database.js';
import { type Page, type PageRequest, keysetPage } from '../core/database/page.js';
import { NotFound } from '../core/errors/problems.js';
import { deviceName } from './device-name.js';
import type { SessionDto } from './session.dto.js';
import { type SessionRow, SessionsRepository } from './sessions.repository.js';
import { Sessions } from './sessions.service.js';
import { UsersRepository } from './users.repository.js';

/** Where somebody is signed in. What they end is told to the audit trail of each of their workspaces. */
@Injectable()
export class OwnSessions {
  constructor(
    private readonly rows: SessionsRepository,
    private readonly sessions: Sessions,
    private readonly users: UsersRepository,
    private readonly audit: AuditTrail,
    private readonly database: Database,
  ) {}

  list(caller: Caller, request: PageRequest): Promise<Page<SessionDto>> {
    const userId = caller.person!.id;
    return keysetPage(
      request,
      { list: 'sessions', filters: { userId } },
      (after, count) => this.rows.list(userId, after, count),
      (row) => present(row, caller),
    );
  }

  async end(caller: Caller, id: string): Promise<void> {
    await this.database.transaction(async () => {
      if (!isId('session', id) || !(await this.rows.delete(caller.person!.id, id)))
        throw new NotFound('session');
      await this.record(caller, { type: 'session', id });
    });
  }

  /** All but the one that asks for it. */
  async endOthers(caller: Caller): Promise<void> {
    await this.database.transaction(async () => {
      const ended = await this.sessions.closeOthers(caller);
      if (ended > 0) await this.record(caller, { type: 'user', id: caller.person!.id }, { ended });
    });
  }

  private async record(
    caller: Caller,
    target: { type: string; id: string },
    details: Record<string, unknown> = {},
  ): Promise<void> {
    for (const { id } of await this.users.workspacesOf(caller.person!.id)) {
      await this.audit.record(id, caller, 'user.session_ended', target, details);
    }
  }
}

function present(
  { id, address, userAgent, createdAt, lastUsedAt, expiresAt }: SessionRow,
  { credentialId }: Caller,
): SessionDto {
  return {
    id,
    device: deviceName(userAgent),
    address,
    current: id === credentialId,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
