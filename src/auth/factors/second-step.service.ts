import { Injectable } from '@nestjs/common';

import { hashToken } from '../../core/crypto/index.js';
import { Database } from '../../core/database/index.js';
import { InvalidRequest } from '../../core/errors/index.js';
import type { RateReport } from '../../core/rate-limit/index.js';
import { SessionsService, type SignInPlace } from '../sessions.service.js';
import type { User } from '../user.entity.js';
import { UsersRepository } from '../users.repository.js';
import { FactorAttemptsService } from './factor-attempts.service.js';
import { FactorChallengesService, type OpenChallenge } from './factor-challenges.service.js';
import { FactorProofService } from './factor-proof.service.js';
import { isTotpCode } from './one-time-codes.js';
import type { SecondFactorInput, SecondStepDto } from './second-factors.dto.js';

interface SecondStep extends OpenChallenge {
  user: User;
}

/** Between the right password and the session: what else the person shows, in the browser that gave the password. */
@Injectable()
export class SecondStepService {
  constructor(
    private readonly challenges: FactorChallengesService,
    private readonly attempts: FactorAttemptsService,
    private readonly proofs: FactorProofService,
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
    private readonly database: Database,
  ) {}

  /** What the browser keeps in a cookie. `passwordHash`: of the password that was right. */
  async begin(userId: string, passwordHash: string): Promise<string> {
    const passwordProof = hashToken(passwordHash);
    return (await this.challenges.begin('second_step', { userId, passwordProof })).text;
  }

  /** @throws InvalidRequest where the browser has given no password, or too long ago */
  async describe(cookie: string | null): Promise<SecondStepDto> {
    const { user, secret } = await this.begun(cookie);
    return {
      codes: await this.proofs.takesCodes(user.id),
      passkeyOptions: await this.proofs.passkeyOptions(user.id, secret),
    };
  }

  /**
   * The person, with the token of their new session.
   *
   * @throws InvalidRequest where there is no such step or what is shown is wrong, RateLimited
   */
  async finish(
    cookie: string | null,
    input: SecondFactorInput,
    place: SignInPlace,
    report: RateReport,
  ): Promise<{ token: string; user: User }> {
    const step = await this.begun(cookie);
    const { user } = step;
    await this.attempts.takeSecondStep(user.id, place.address, report);
    const isCode = input.code != null && isTotpCode(input.code);
    if (isCode) await this.attempts.takeCode(user.id);
    const token = await this.database.transaction(async () => {
      await this.show(step, input);
      if (!(await this.challenges.take(step))) throw tooLate();
      const opened = await this.sessions.open(
        user.id,
        { passwordHash: user.passwordHash!, secondFactor: true },
        place,
      );
      if (opened === null) throw tooLate();
      return opened;
    });
    if (isCode) await this.attempts.codeWasRight(user.id);
    return { token, user };
  }

  private async show({ user, secret }: SecondStep, { code, passkey }: SecondFactorInput): Promise<void> {
    if ((code == null) === (passkey == null)) {
      throw InvalidRequest.at('code', 'is missing: give either a code or a passkey');
    }
    if (code != null) await this.proofs.useCode(user, code);
    else await this.proofs.usePasskey(passkey!, secret, user.id);
  }

  private async begun(cookie: string | null): Promise<SecondStep> {
    const challenge = await this.challenges.find(cookie, 'second_step');
    const user = challenge && (await this.users.find(challenge.userId!));
    const { passwordProof } = challenge ?? {};
    const isSame = user?.passwordHash != null && passwordProof?.equals(hashToken(user.passwordHash));
    if (!challenge || !user || !isSame) throw tooLate();
    return { ...challenge, user };
  }
}

function tooLate(): InvalidRequest {
  return new InvalidRequest(
    'Begin anew with the password: it was given too long ago, or in another browser.',
  );
}
