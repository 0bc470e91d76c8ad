import { Injectable, type OnModuleInit } from '@nestjs/common';

import { verifyPassword } from '../core/crypto/index.js';
import { Unauthorized } from '../core/errors/index.js';
import { addressGroup } from '../core/rate-limit/index.js';
import type { LoginInput } from './auth.dto.js';
import { PasswordAttemptsService } from './password-attempts.service.js';
import type { RateReport } from './rate-report.js';
import { SessionsService, type SignInPlace } from './sessions.service.js';
import { normalizeEmail, normalizePassword } from './sign-in-text.js';
import type { UserMeDto } from './user.dto.js';
import { UsersRepository } from './users.repository.js';
import { UsersService } from './users.service.js';

interface SignedIn {
  /** Of the new session. */
  token: string;
  user: UserMeDto;
}

/** An unknown address, an account without a password and a wrong password get the same response in the same time. */
@Injectable()
export class SignInService implements OnModuleInit {
  constructor(
    private readonly attempts: PasswordAttemptsService,
    private readonly rows: UsersRepository,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
  ) {}

  /** The first comparison also makes the hash that unknown addresses are compared with, so it is done before any request. */
  async onModuleInit(): Promise<void> {
    await verifyPassword(null, '');
  }

  async login({ email, password }: LoginInput, place: SignInPlace, report: RateReport): Promise<SignedIn> {
    const address = normalizeEmail(email);
    const attempt = await this.attempts.begin(address, place.address, report);
    const user = await this.rows.findByEmail(address);
    const stored = user?.passwordHash ?? null;
    const matches = await verifyPassword(stored, normalizePassword(password), addressGroup(place.address));
    const token = user && matches ? await this.sessions.open(user.id, user.passwordHash!, place) : null;
    if (!user || token === null) {
      await attempt.failed();
      throw new Unauthorized('The e-mail address or the password is wrong.');
    }
    await attempt.succeeded();
    return { token, user: await this.users.present(user) };
  }
}
