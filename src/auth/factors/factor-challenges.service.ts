import { Injectable } from '@nestjs/common';

import { InvalidRequest } from '../../core/errors/index.js';
import type { ChallengePurpose } from './challenge-purpose.js';
import { ChallengeSecret } from './challenge-secret.js';
import type { FactorChallenge } from './factor-challenge.entity.js';
import { FactorChallengesRepository } from './factor-challenges.repository.js';

export const CHALLENGE_SECONDS = 300;

/** A challenge with the secret that its browser has shown. */
export interface OpenChallenge extends Pick<FactorChallenge, 'hash' | 'userId' | 'passwordProof'> {
  secret: ChallengeSecret;
}

interface Begun {
  userId?: string;
  passwordProof?: Buffer;
}

/** What browsers are asked to show: each within five minutes, once, and in the browser that was asked. */
@Injectable()
export class FactorChallengesService {
  constructor(private readonly challenges: FactorChallengesRepository) {}

  /** The secret is for the browser's cookie. */
  async begin(purpose: ChallengePurpose, { userId, passwordProof }: Begun = {}): Promise<ChallengeSecret> {
    const secret = ChallengeSecret.next();
    const row = { hash: secret.hash, purpose, userId: userId ?? null, passwordProof: passwordProof ?? null };
    await this.challenges.insert(row, CHALLENGE_SECONDS);
    return secret;
  }

  /** null: this browser was asked nothing of that kind, or too long ago, or has shown it. */
  async find(cookie: string | null, purpose: ChallengePurpose): Promise<OpenChallenge | null> {
    const secret = ChallengeSecret.of(cookie);
    const found = secret && (await this.challenges.find(secret.hash, purpose));
    return found && { hash: found.hash, userId: found.userId, passwordProof: found.passwordProof, secret };
  }

  /**
   * The same for somebody who is signed in.
   *
   * @throws InvalidRequest where there is none of theirs
   */
  async findOf(userId: string, cookie: string | null, purpose: ChallengePurpose): Promise<OpenChallenge> {
    const found = await this.find(cookie, purpose);
    if (found?.userId !== userId) throw InvalidRequest.at('passkey', 'is too late: ask for new options');
    return found;
  }

  /** Uses it up, in the transaction of what follows from it. False: it is used, or too old by now. */
  take({ hash }: OpenChallenge): Promise<boolean> {
    return this.challenges.take(hash);
  }
}
