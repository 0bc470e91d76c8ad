import { Global, Module } from '@nestjs/common';

import { Mailer } from './mailer.js';
import { MailService } from './mail.service.js';
import { MailsRepository } from './mails.repository.js';

@Global()
@Module({ providers: [Mailer, MailService, MailsRepository], exports: [MailService] })
export class MailModule {}
