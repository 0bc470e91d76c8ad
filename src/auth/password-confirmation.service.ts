import { Injectable } from '@nestjs/common';

import type { Caller } from '../core/access/index.js';
import { verifyPassword } from '../core/crypto/index.js';
import { InvalidRequest } from '../core/errors/index.js';
import type { PasswordConfirmationInput } from './auth.dto.js';
import { SessionsService } from './sessions.service.js';
import { normalizePassword } from './sign-in-text.js';
import { UsersRepository } from './users.repository.js';

/** Somebody who is signed in gives their password again, as proof that nobody else has taken over their browser. */
@Injectable()
export class PasswordConfirmationService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsService,
  ) {}

  /** @throws InvalidRequest where the password is another */
  async confirm(caller: Caller, { password }: PasswordConfirmationInput): Promise<void> {
    const { id } = caller.person!;
    const stored = (await this.users.find(id))?.passwordHash ?? null;
    const matches = await verifyPassword(stored, normalizePassword(password), id);
    if (matches && (await this.sessions.confirm(caller, stored!))) return;
    throw InvalidRequest.at('password', 'is not your password');
  }
}
