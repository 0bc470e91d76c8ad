import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { inSeconds, isAhead, returnedRow } from '../core/database/index.js';
import { deleteOldest, type Expired, Expires } from '../core/work/index.js';
import { SignInAttempt } from './sign-in-attempt.entity.js';

@Injectable()
export class SignInAttemptsRepository {
  constructor(@InjectRepository(SignInAttempt) private readonly attempts: Repository<SignInAttempt>) {}

  async insert(attempt: Omit<SignInAttempt, 'expiresAt'>, seconds: number): Promise<void> {
    await this.attempts.insert({ ...attempt, expiresAt: inSeconds(seconds) });
  }

  /** Uses it up. null: there is none, it is used or too old. */
  take(hash: Buffer, way: string): Promise<Pick<SignInAttempt, 'next' | 'userId' | 'expiresAt'> | null> {
    const taking = this.attempts.createQueryBuilder().delete().where({ hash, way, expiresAt: isAhead() });
    return returnedRow(taking, 'next', 'userId', 'expiresAt');
  }

  @Expires()
  deleteExpired(expired: Expired): Promise<number> {
    return deleteOldest(this.attempts, 'expiresAt', expired);
  }
}
