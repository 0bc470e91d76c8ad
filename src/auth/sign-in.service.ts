import { Injectable, type OnModuleInit } from '@nestjs/common';

import { verifyPassword } from '../core/crypto/index.js';
import { Unauthorized } from '../core/errors/index.js';
import { addressGroup } from '../core/rate-limit/index.js';
import type { RateReport } from '../core/rate-limit/index.js';
import type { LoginInput } from './auth.dto.js';
import { SecondStepService } from './factors/second-step.service.js';
import { PasswordAttemptsService } from './password-attempts.service.js';
import { SessionsService, type SignInPlace } from './sessions.service.js';
import { normalizeEmail, normalizePassword } from './sign-in-text.js';
import type { UserMeDto } from './user.dto.js';
import type { User } from './user.entity.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

interface SignedIn {
  /** Of the new session. */
  token: string;
  user: UserMeDto;
}

/** Nobody is signed in yet. */
interface SecondStepDue {
  /** For the browser's cookie. */
  secondStep: string;
}

/** An unknown address, an account without a password and a wrong password get the same response in the same time. */
@Injectable()
export class SignInService implements OnModuleInit {
  constructor(
    private readonly attempts: PasswordAttemptsService,
    private readonly rows: UsersRepository,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly secondStep: SecondStepService,
  ) {}

  /** The first comparison also makes the hash that unknown addresses are compared with, so it is begun before any request. */
  onModuleInit(): void {
    void verifyPassword(null, '');
  }

  async login(
    { email, password }: LoginInput,
    place: SignInPlace,
    report: RateReport,
  ): Promise<SignedIn | SecondStepDue> {
    const address = normalizeEmail(email);
    const attempt = await this.attempts.begin(address, place.address, report);
    const user = await this.rows.findByEmail(address);
    const stored = user?.passwordHash ?? null;
    const matches = await verifyPassword(stored, normalizePassword(password), addressGroup(place.address));
    const entered = user && matches ? await this.enter(user, place) : null;
    if (!entered) {
      await attempt.failed();
      throw new Unauthorized('The e-mail address or the password is wrong.');
    }
    await attempt.succeeded();
    return entered;
  }

  /** With the right password. null: it is another by now, or the account is disabled. */
  private async enter(user: User, place: SignInPlace): Promise<SignedIn | SecondStepDue | null> {
    const { id, disabledAt, secondFactor } = user;
    const passwordHash = user.passwordHash!;
    if (disabledAt !== null) return null;
    if (secondFactor) return { secondStep: await this.secondStep.begin(id, passwordHash) };
    const token = await this.sessions.open(id, { passwordHash, secondFactor }, place);
    return token === null ? null : { token, user: await this.users.present(user) };
  }
}
