import { MailService } from '../../core/mail/index.js';
import { approvalMail } from './approval-mail.js';
import {
  type ApprovalNotice,
  NotificationChannel,
  type NotificationChannelProvider,
} from './notification-channel.js';

/** A mail to each, where there is a server to send it by. It is queued here, and sent as all mail is. */
@NotificationChannel('mail')
export class MailChannel implements NotificationChannelProvider {
  constructor(private readonly mails: MailService) {}

  get enabled(): boolean {
    return this.mails.enabled;
  }

  async notify({ workspace, people, listUrl }: ApprovalNotice): Promise<void> {
    await this.mails.queue(...people.map((person) => approvalMail(person, workspace.name, listUrl)));
  }
}
