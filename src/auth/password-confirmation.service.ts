import { Injectable } from '@nestjs/common';

import type { Caller } from '../core/access/caller.js';
import { verifyPassword } from '../core/crypto/passwords.js';
import { InvalidRequest } from '../core/errors/problems.js';
import type { PasswordConfirmationInput } from './auth.dto.js';
import { Sessions } from './sessions.service.js';
import { normalizePassword } from './sign-in-text.js';
import { UsersRepository } from './users.repository.js';

/** Somebody who is signed in shows that it is still they who sit there. */
@Injectable()
export class PasswordConfirmation {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: Sessions,
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
