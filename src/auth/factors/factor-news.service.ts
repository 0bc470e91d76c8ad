import { Injectable } from '@nestjs/common';

import type { AuditAction, AuditActor } from '../../audit/index.js';
import type { Caller, Person } from '../../core/access/index.js';
import { Settings } from '../../core/config/index.js';
import { MailService } from '../../core/mail/index.js';
import { AccountAuditService } from '../account-audit.service.js';
import { type FactorNews, factorMail } from './factor-mail.js';

interface FactorEvent {
  action: AuditAction;
  news: FactorNews;
  details?: Record<string, unknown>;
}

/** What happens to somebody's second factors goes to the audit trail, and by mail to the person. */
@Injectable()
export class FactorNewsService {
  constructor(
    private readonly audit: AccountAuditService,
    private readonly mails: MailService,
    private readonly settings: Settings,
  ) {}

  /** To be called in the transaction of the change. */
  async tell(
    { id, email }: Pick<Person, 'id' | 'email'>,
    by: Caller | AuditActor,
    { action, news, details = {} }: FactorEvent,
  ): Promise<void> {
    await this.audit.record({ userId: id, by, action, target: { type: 'user', id }, details });
    await this.mails.queue(factorMail(email, news, this.settings.baseUrl));
  }
}
