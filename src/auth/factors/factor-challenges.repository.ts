import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';

import { inSeconds, isAhead } from '../../core/database/index.js';
import { deleteOldest, type Expired, Expires } from '../../core/work/index.js';
import type { ChallengePurpose } from './challenge-purpose.js';
import { FactorChallenge } from './factor-challenge.entity.js';

@Injectable()
export class FactorChallengesRepository {
  constructor(@InjectRepository(FactorChallenge) private readonly challenges: Repository<FactorChallenge>) {}

  async insert(challenge: Omit<FactorChallenge, 'expiresAt'>, seconds: number): Promise<void> {
    await this.challenges.insert({ ...challenge, expiresAt: inSeconds(seconds) });
  }

  /** null: there is none, it is used or too old. */
  find(hash: Buffer, purpose: ChallengePurpose): Promise<FactorChallenge | null> {
    return this.challenges.findOneBy({ hash, purpose, expiresAt: isAhead() });
  }

  /** Uses it up. False: somebody was quicker, or it is too old. */
  async take(hash: Buffer): Promise<boolean> {
    return (await this.challenges.delete({ hash, expiresAt: isAhead() })).affected === 1;
  }

  @Expires()
  deleteExpired(expired: Expired): Promise<number> {
    return deleteOldest(this.challenges, 'expiresAt', expired);
  }
}
