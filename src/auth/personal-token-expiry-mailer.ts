import { Injectable } from '@nestjs/common';

import { Settings } from '../core/config/index.js';
import { Database } from '../core/database/index.js';
import { MailService } from '../core/mail/index.js';
import { Loop } from '../core/work/index.js';
import { credentialExpiryMail } from './credential-expiry-mail.js';
import { PersonalTokensRepository } from './personal-tokens.repository.js';
import { UsersRepository } from './users.repository.js';

const EVERY_MS = 60_000;

/** Writes to people a week before tokens of theirs end: one mail, however many there are, since it goes before others. */
@Injectable()
export class PersonalTokenExpiryMailer {
  constructor(
    private readonly tokens: PersonalTokensRepository,
    private readonly users: UsersRepository,
    private readonly mails: MailService,
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  /** Goes on until nobody is left. */
  @Loop({ every: EVERY_MS })
  async tell(): Promise<boolean> {
    return this.mails.enabled && (await this.database.transaction(() => this.tellSome()));
  }

  private async tellSome(): Promise<boolean> {
    const ending = await this.tokens.claimEnding();
    const people = await this.users.findEnabled(ending.map(({ userId }) => userId));
    const where = `They are changed at ${this.settings.baseUrl}/account`;
    const mails = ending.flatMap(({ userId, ...theirs }) => {
      const person = people.get(userId);
      return person ? [credentialExpiryMail(person, 'personal access token', [theirs], where)] : [];
    });
    await this.mails.queue(...mails);
    return ending.length > 0;
  }
}
