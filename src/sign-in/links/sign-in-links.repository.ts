import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { inSeconds, isAhead, isPast, returnedRow } from '../../core/database/index.js';
import { Expires } from '../../core/work/index.js';
import { SignInLink } from './sign-in-link.entity.js';

@Injectable()
export class SignInLinksRepository {
  constructor(@InjectRepository(SignInLink) private readonly links: Repository<SignInLink>) {}

  /** Takes the place of the person's earlier one. */
  async replace(hash: Buffer, userId: string, seconds: number): Promise<void> {
    await this.links.upsert({ hash, userId, expiresAt: inSeconds(seconds) }, ['userId']);
  }

  /** Uses it up. Whose it is, or null: there is none, it is used or too old. */
  async take(hash: Buffer): Promise<string | null> {
    const taking = this.links.createQueryBuilder().delete().where({ hash, expiresAt: isAhead() });
    return (await returnedRow(taking, 'userId'))?.userId ?? null;
  }

  async delete(userId: string): Promise<void> {
    await this.links.delete({ userId });
  }

  /** Expired links open nothing; this only takes them off the disk. */
  @Expires()
  async deleteExpired(): Promise<number> {
    return (await this.links.delete({ expiresAt: isPast() })).affected!;
  }
}
