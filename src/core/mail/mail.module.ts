import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { Mail } from './mail.entity.js';
import { Mailer } from './mailer.js';
import { MailService } from './mail.service.js';
import { MailsRepository } from './mails.repository.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Mail])],
  providers: [Mailer, MailService, MailsRepository],
  exports: [MailService],
})
export class MailModule {}
