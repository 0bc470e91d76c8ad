import { Injectable } from '@nestjs/common';

import { Settings } from '../core/config/settings.js';
import { MailService } from '../core/mail/mail.service.js';
import { approvalMail } from './approval-mail.js';
import { ApprovalsRepository } from './approvals.repository.js';

/** Tells everyone who may decide by mail, where there is a server to send it by. */
@Injectable()
export class ApprovalNotices {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly mails: MailService,
    private readonly settings: Settings,
  ) {}

  /**
   * To be called in the transaction that files the requests.
   *
   * @param secondPersons those of them that nobody may decide who asked
   */
  async tell(ids: readonly string[], secondPersons: ReadonlySet<string>): Promise<void> {
    if (!this.mails.enabled) return;
    const notices = await this.approvals.notices(ids, [...secondPersons]);
    await this.mails.queue(...notices.map((notice) => approvalMail(notice, this.settings.baseUrl)));
  }
}
