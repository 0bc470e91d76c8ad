import { Injectable } from '@nestjs/common';

import type { AuditActor } from '../../audit/index.js';
import type { Person } from '../../core/access/index.js';
import { Database } from '../../core/database/index.js';
import { SessionsRepository } from '../sessions.repository.js';
import { UsersRepository } from '../users.repository.js';
import { FactorStateService } from './factor-state.service.js';
import { FactorNewsService } from './factor-news.service.js';

/** For somebody who has lost their device and their recovery codes. */
@Injectable()
export class StaffFactorsService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsRepository,
    private readonly factors: FactorStateService,
    private readonly news: FactorNewsService,
    private readonly database: Database,
  ) {}

  /** Ends the person's sessions as well. False: they have no second factor. */
  remove(person: Person, by: AuditActor): Promise<boolean> {
    const { id } = person;
    return this.database.transaction(async () => {
      await this.users.lock(id);
      if (!(await this.users.find(id))!.secondFactor) return false;
      await this.factors.removeAll(id);
      await this.sessions.deleteAll(id);
      await this.news.tell(person, by, { action: 'user.factors_removed', news: 'factors_removed' });
      return true;
    });
  }
}
