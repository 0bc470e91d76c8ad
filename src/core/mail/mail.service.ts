import { Injectable, Logger } from '@nestjs/common';

import { MasterKey, newId } from '../crypto/index.js';
import { Waker } from '../work/index.js';
import { type MailMessage, isAddress, subjectLine } from './mail-message.js';
import { MAILS, Mailer } from './mailer.js';
import { MailsRepository } from './mails.repository.js';
import { MAIL_PURPOSE } from './sealed-mail.js';

/** Queues mail. It is sent once the surrounding transaction has committed, and never if it rolls back. */
@Injectable()
export class MailService {
  private readonly logger = new Logger(MailService.name);

  constructor(
    private readonly mails: MailsRepository,
    private readonly mailer: Mailer,
    private readonly masterKey: MasterKey,
    private readonly waker: Waker,
  ) {}

  /** Whether there is a server to send mail by. Without one, `queue` does nothing. */
  get enabled(): boolean {
    return this.mailer.enabled;
  }

  /**
   * @example
   * await this.mails.queue({ to: person.email, subject: `You were invited to ${name}`, text: `Open ${link}` });
   */
  async queue(...mails: MailMessage[]): Promise<void> {
    if (!this.enabled) return;
    const sendable = mails.filter(({ to }) => isAddress(to));
    if (sendable.length < mails.length) this.logger.warn('A mail has no address that it could be sent to.');
    if (sendable.length === 0) return;
    await this.mails.insert(sendable.map((mail) => this.sealed(mail)));
    this.waker.wake(MAILS);
  }

  private sealed({ to, subject, text, workspaceId }: MailMessage) {
    const id = newId('mail');
    const message: MailMessage = { to, subject: subjectLine(subject), text };
    const sealed = this.masterKey.encrypt(MAIL_PURPOSE, Buffer.from(JSON.stringify(message)), id);
    return { id, workspaceId: workspaceId ?? null, message: sealed };
  }
}
