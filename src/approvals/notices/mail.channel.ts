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
    const mails = people.map((person) => approvalMail(person, workspace.name, listUrl));
    await this.mails.queue(...mails.map((mail) => ({ ...mail, workspaceId: workspace.id })));
  }
}
