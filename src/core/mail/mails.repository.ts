import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { Database, inSeconds, type RowOf } from '../database/index.js';
import { Mail } from './mail.entity.js';
import { CLAIM, type CLAIMED } from './mails.sql.js';

export type SealedMail = Pick<Mail, 'id' | 'message'>;

/** `attempts` counts the one that it was claimed for. */
export type ClaimedMail = RowOf<typeof CLAIMED>;

@Injectable()
export class MailsRepository {
  constructor(
    @InjectRepository(Mail) private readonly mails: Repository<Mail>,
    private readonly database: Database,
  ) {}

  async insert(mails: (SealedMail & Pick<Mail, 'workspaceId'>)[]): Promise<void> {
    await this.mails.insert(mails);
  }

  /** Leases due mails for so many seconds; those of a process that dies meanwhile become due again. */
  claim(count: number, leaseSeconds: number): Promise<ClaimedMail[]> {
    return this.database.query<ClaimedMail>(CLAIM, [count, leaseSeconds]);
  }

  /** Does nothing when another process has begun a later attempt. */
  async retryIn(seconds: number, { id, attempts }: ClaimedMail): Promise<void> {
    await this.mails.update({ id, attempts }, { dueAt: inSeconds(seconds) });
  }

  /** Nobody sends one of them until the transaction ends. */
  lockAll(): Promise<SealedMail[]> {
    return this.mails.find({ select: { id: true, message: true }, lock: { mode: 'pessimistic_write' } });
  }

  async replace(mails: SealedMail[]): Promise<void> {
    for (const { id, message } of mails) await this.mails.update({ id }, { message });
  }

  async delete(id: string): Promise<void> {
    await this.mails.delete({ id });
  }
}
