import { Injectable, Logger } from '@nestjs/common';

import { Settings } from '../config/index.js';
import { MasterKey } from '../crypto/index.js';
import { Drain, Loop, MESSAGE_ATTEMPTS, type Pass, secondsUntilRetry } from '../work/index.js';
import { isRefused, reasonOf } from './mail-failure.js';
import type { MailMessage } from './mail-message.js';
import { type ClaimedMail, MailsRepository } from './mails.repository.js';
import { MAIL_PURPOSE } from './sealed-mail.js';
import { CONNECTIONS, type SmtpTransport, smtpTransport } from './smtp-transport.js';

/** Wakes the mailer. */
export const MAILS = 'mails';

const LOOK_EVERY_MS = 2_000;
const SEND_MS = 60_000;
/** Longer than sending may take, so that no two processes send one mail at once. */
const LEASE_SECONDS = 120;
const STOP_MS = 5_000;

/**
 * Sends what waits, in every process, with no transaction held meanwhile. At least once: a process may die after the
 * server's yes and before its own note of it. The mail is then sent again, with the same `Message-ID`.
 */
@Injectable()
export class Mailer {
  private readonly logger = new Logger('Mail');
  private transport: Promise<SmtpTransport> | null = null;

  constructor(
    private readonly mails: MailsRepository,
    private readonly masterKey: MasterKey,
    private readonly settings: Settings,
  ) {}

  get enabled(): boolean {
    return this.settings.smtpUrl !== null;
  }

  @Loop({ every: LOOK_EVERY_MS, wake: MAILS, reachesOut: true })
  async send({ stopping }: Pass): Promise<boolean> {
    const { smtpUrl } = this.settings;
    if (smtpUrl === null) return false;
    const claimed = await this.mails.claim(CONNECTIONS, LEASE_SECONDS);
    if (claimed.length === 0) return false;
    const transport = await (this.transport ??= smtpTransport(smtpUrl));
    // What is not sent soon after the process was told to stop is left to others, or to later.
    const hurry = (): void => void setTimeout(() => transport.close({ force: true }), STOP_MS).unref();
    stopping.addEventListener('abort', hurry, { once: true });
    // What cannot be noted down now is tried again when the lease is over.
    await Promise.all(claimed.map((mail) => this.deliver(transport, mail).catch(this.complain)));
    stopping.removeEventListener('abort', hurry);
    return true;
  }

  @Drain()
  async close(): Promise<void> {
    (await this.transport)?.close({ force: true });
  }

  private readonly complain = (error: unknown): void => {
    this.logger.warn(`The database does not let mail be sent: ${String(error)}`);
  };

  private async deliver(transport: SmtpTransport, mail: ClaimedMail): Promise<void> {
    try {
      const { to, subject, text } = this.opened(mail);
      await transport.sendMail({
        from: this.settings.mailFrom,
        to: { name: '', address: to },
        subject,
        text,
        date: mail.createdAt,
        messageId: `<${mail.id}@${domainOf(this.settings.mailFrom)}>`,
        headers: { 'auto-submitted': 'auto-generated' },
        signal: AbortSignal.timeout(SEND_MS),
      });
    } catch (error) {
      return this.failed(mail, error);
    }
    await this.mails.delete(mail.id);
  }

  private async failed(mail: ClaimedMail, error: unknown): Promise<void> {
    const seconds = isRefused(error) ? null : secondsUntilRetry(mail.attempts);
    const tries = `attempt ${mail.attempts} of ${MESSAGE_ATTEMPTS}`;
    if (seconds === null) {
      this.logger.error(`The mail ${mail.id} is given up (${tries}): ${reasonOf(error)}.`);
      return this.mails.delete(mail.id);
    }
    this.logger.warn(
      `The mail ${mail.id} could not be sent (${tries}, the next in ${seconds} s): ${reasonOf(error)}.`,
    );
    await this.mails.retryIn(seconds, mail);
  }

  private opened(mail: ClaimedMail): MailMessage {
    return JSON.parse(this.masterKey.decrypt(MAIL_PURPOSE, mail.message, mail.id).toString()) as MailMessage;
  }
}

function domainOf(from: string): string {
  return /@([^\s@>]+)>?$/.exec(from)![1]!;
}
