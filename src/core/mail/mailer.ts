import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

import { Settings } from '../config/settings.js';
import { MasterKey } from '../crypto/master-key.js';
import type { Mail } from './mail-message.js';
import { MAIL_ATTEMPTS, reasonOf, secondsUntilRetry } from './mail-retries.js';
import { type ClaimedMail, MailsRepository } from './mails.repository.js';
import { MAIL_PURPOSE } from './sealed-mail.js';
import { CONNECTIONS, type SmtpTransport, smtpTransport } from './smtp-transport.js';

const SWEEP_EVERY_MS = 2_000;
const SEND_MS = 60_000;
/** Longer than sending may take, so that no two processes send one mail at once. */
const LEASE_SECONDS = 120;
const STOP_MS = 5_000;

/**
 * Sends what waits, in every process, with no transaction held meanwhile. At least once: one that dies between the
 * server's yes and its own note of it leaves the mail to be sent again, with the same `Message-ID`.
 */
@Injectable()
export class Mailer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Mail');
  private readonly transport: SmtpTransport | null;
  private readonly stop = new AbortController();
  private working: Promise<void> | null = null;
  private wanted = false;

  constructor(
    private readonly mails: MailsRepository,
    private readonly masterKey: MasterKey,
    private readonly settings: Settings,
  ) {
    this.transport = settings.smtpUrl === null ? null : smtpTransport(settings.smtpUrl);
    // Of a connection that breaks while it is idle: the next mail opens another.
    this.transport?.on('error', () => undefined);
  }

  get enabled(): boolean {
    return this.transport !== null;
  }

  onApplicationBootstrap(): void {
    this.wake();
  }

  /** Looks for mail now, or once more after the round that is going on. */
  @Interval(SWEEP_EVERY_MS)
  wake(): void {
    if (!this.transport || this.stop.signal.aborted) return;
    this.wanted = true;
    this.working ??= this.work(this.transport).finally(() => (this.working = null));
  }

  /** While there still is a connection to the database. What is not sent by then is left to others, or to later. */
  async beforeApplicationShutdown(): Promise<void> {
    const timer = setTimeout(() => this.transport?.close({ force: true }), STOP_MS);
    this.stop.abort();
    await this.working;
    clearTimeout(timer);
    this.transport?.close({ force: true });
  }

  private async work(transport: SmtpTransport): Promise<void> {
    try {
      while (this.wanted && !this.stop.signal.aborted) {
        this.wanted = false;
        const claimed = await this.mails.claim(CONNECTIONS, LEASE_SECONDS);
        // What cannot be noted down now is tried again when the lease is over.
        await Promise.all(claimed.map((mail) => this.deliver(transport, mail).catch(this.complain)));
        if (claimed.length > 0) this.wanted = true;
      }
    } catch (error) {
      this.complain(error);
    }
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
    const seconds = secondsUntilRetry(mail.attempt, error);
    const tries = `attempt ${mail.attempt} of ${MAIL_ATTEMPTS}`;
    if (seconds === null) {
      this.logger.error(`The mail ${mail.id} is given up (${tries}): ${reasonOf(error)}.`);
      return this.mails.delete(mail.id);
    }
    this.logger.warn(
      `The mail ${mail.id} could not be sent (${tries}, the next in ${seconds} s): ${reasonOf(error)}.`,
    );
    await this.mails.retryIn(seconds, mail);
  }

  private opened(mail: ClaimedMail): Mail {
    return JSON.parse(this.masterKey.decrypt(MAIL_PURPOSE, mail.message, mail.id).toString()) as Mail;
  }
}

function domainOf(from: string): string {
  return /@([^\s@>]+)>?$/.exec(from)![1]!;
}
