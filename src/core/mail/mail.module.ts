import { Global, Module } from '@nestjs/common';

import { Mailer } from './mailer.js';
import { Mails } from './mails.js';
import { MailsRepository } from './mails.repository.js';

@Global()
@Module({ providers: [Mailer, Mails, MailsRepository], exports: [Mails] })
export class MailModule {}
