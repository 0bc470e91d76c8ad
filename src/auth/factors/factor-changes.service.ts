import { Injectable } from '@nestjs/common';

import type { AuditAction } from '../../audit/index.js';
import type { Caller } from '../../core/access/index.js';
import { Database } from '../../core/database/index.js';
import { CredentialLockService } from '../credential-lock.service.js';
import { SessionsService } from '../sessions.service.js';
import { UsersRepository } from '../users.repository.js';
import type { FactorNews } from './factor-mail.js';
import { FactorNewsService } from './factor-news.service.js';
import { FactorStateService } from './factor-state.service.js';

interface FactorChange<Result> {
  action: AuditAction;
  news: FactorNews;
  /** In the transaction, with the person locked. */
  work: () => Promise<{ result: Result; details?: Record<string, unknown> }>;
}

/**
 * Every change of a person's second factors: one at a time, audited, told by mail. With the first one the person's other
 * sessions end, which nobody has shown a factor in, and recovery codes are made. With the last one those go.
 */
@Injectable()
export class FactorChangesService {
  constructor(
    private readonly users: UsersRepository,
    private readonly state: FactorStateService,
    private readonly sessions: SessionsService,
    private readonly credentialLock: CredentialLockService,
    private readonly news: FactorNewsService,
    private readonly database: Database,
  ) {}

  /** `recoveryCodes`: those that were made, which are shown this once; null where none were. */
  change<Result>(
    caller: Caller,
    { action, news, work }: FactorChange<Result>,
  ): Promise<{ result: Result; recoveryCodes: string[] | null }> {
    const person = caller.person!;
    return this.database.transaction(async () => {
      await this.users.lock(person.id);
      await this.credentialLock.assertOpen(caller);
      const { result, details = {} } = await work();
      const recoveryCodes = await this.state.settle(person.id);
      if (recoveryCodes !== null) await this.sessions.closeOthers(caller);
      await this.news.tell(person, caller, { action, news, details });
      return { result, recoveryCodes };
    });
  }
}
