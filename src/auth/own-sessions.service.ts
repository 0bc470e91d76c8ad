import { Injectable } from '@nestjs/common';

import type { Caller } from '../core/access/index.js';
import { isId } from '../core/crypto/index.js';
import { Database, keysetPage, type Page, type PageRequest } from '../core/database/index.js';
import { NotFound } from '../core/errors/index.js';
import { writtenAddress } from '../core/http/index.js';
import { AccountAuditService } from './account-audit.service.js';
import { deviceName } from './device-name.js';
import type { SessionDto } from './session.dto.js';
import type { Session } from './session.entity.js';
import { SessionsRepository } from './sessions.repository.js';

/** Where somebody is signed in. */
@Injectable()
export class OwnSessionsService {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly audit: AccountAuditService,
    private readonly database: Database,
  ) {}

  list(caller: Caller, request: PageRequest): Promise<Page<SessionDto>> {
    const userId = caller.person!.id;
    return keysetPage(
      request,
      { list: 'sessions', filters: { userId } },
      (after, count) => this.sessions.list(userId, after, count),
      (session) => present(session, caller),
    );
  }

  async end(caller: Caller, id: string): Promise<void> {
    const userId = caller.person!.id;
    await this.database.transaction(async () => {
      if (!isId('session', id) || !(await this.sessions.delete(userId, id))) throw new NotFound('session');
      const target = { type: 'session', id };
      await this.audit.record({ userId, by: caller, action: 'user.session_ended', target });
    });
  }

  /** All but the one that asks for it. */
  async endOthers(caller: Caller): Promise<void> {
    const userId = caller.person!.id;
    await this.database.transaction(async () => {
      const ended = await this.sessions.deleteOthers(userId, caller.credentialId);
      if (ended === 0) return;
      const target = { type: 'user', id: userId };
      const details = { ended };
      await this.audit.record({ userId, by: caller, action: 'user.session_ended', target, details });
    });
  }
}

function present(
  { id, address, userAgent, createdAt, lastUsedAt, expiresAt }: Session,
  { credentialId }: Caller,
): SessionDto {
  return {
    id,
    device: deviceName(userAgent),
    address: address === null ? null : writtenAddress(address),
    current: id === credentialId,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
