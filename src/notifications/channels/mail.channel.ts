import { Unavailable } from '../../core/errors/index.js';
import { MailService } from '../../core/mail/index.js';
import type { AlertNotice, AlertOptions } from '../alert-notice.js';
import { alertBody, alertSubject } from '../alert-text.js';
import {
  type ApprovalNotice,
  NotificationChannel,
  type NotificationChannelProvider,
} from '../notification-channel.js';
import { approvalMail } from './approval-mail.js';

/** A mail to each, where there is a server to send it by. It is queued here, and sent as all mail is. */
@NotificationChannel('mail')
export class MailChannel implements NotificationChannelProvider {
  readonly alertsTo = 'people';

  constructor(private readonly mails: MailService) {}

  get enabled(): boolean {
    return this.mails.enabled;
  }

  async notify({ workspace, people, listUrl }: ApprovalNotice): Promise<void> {
    const mails = people.map((person) => approvalMail(person, workspace.name, listUrl));
    await this.mails.queue(...mails.map((mail) => ({ ...mail, workspaceId: workspace.id })));
  }

  async alert(alert: AlertNotice, { to }: AlertOptions): Promise<void> {
    if (!this.enabled) throw new Unavailable('This service has no mail server.');
    if (to.length === 0) throw new Unavailable('Nobody of those that it names is a member any more.');
    const mail = { subject: alertSubject(alert), text: alertBody(alert), workspaceId: alert.workspace.id };
    await this.mails.queue(...to.map((address) => ({ ...mail, to: address })));
  }
}
