import { Injectable } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import { hashToken, randomText } from '../core/crypto/index.js';
import { Database } from '../core/database/index.js';
import { MailService } from '../core/mail/index.js';
import { PasswordResetsRepository } from './password-resets.repository.js';
import { resetMail } from './reset-mail.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

const TOKEN_LENGTH = 43;
const TOKEN_SECONDS = 3600;
/** Between two mails to a person, so that nobody can flood them. */
const PAUSE_SECONDS = 60;

/** Mails a person the link by which they get a new password. */
@Injectable()
export class ResetLinksService {
  constructor(
    private readonly users: UsersRepository,
    private readonly resets: PasswordResetsRepository,
    private readonly mails: MailService,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  async send(address: string): Promise<void> {
    const user = await this.users.findByEmail(address);
    if (user?.disabledAt === null && this.mails.enabled)
      await this.database.transaction(() => this.makeToken(user));
  }

  private async makeToken({ id, email, name }: User): Promise<void> {
    const token = randomText(TOKEN_LENGTH);
    await this.users.lock(id);
    if (!(await this.resets.insert(hashToken(token), id, TOKEN_SECONDS, PAUSE_SECONDS))) return;
    const link = `${this.settings.baseUrl}/reset-password/${token}`;
    await this.mails.queue(resetMail({ email, name, link }));
  }
}
