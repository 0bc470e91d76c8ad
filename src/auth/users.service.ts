import { Injectable } from '@nestjs/common';

import type { Caller } from '../core/access/caller.js';
import { newId } from '../core/crypto/ids.js';
import { hashPassword } from '../core/crypto/passwords.js';
import { Conflict } from '../core/http/errors.js';
import { normalizeEmail, normalizePassword } from './sign-in-text.js';
import type { UserMeDto } from './user.dto.js';
import { UsersRepository } from './users.repository.js';

export interface NewUser {
  email: string;
  name: string;
  /** null: an account that cannot sign in until it has one. */
  password: string | null;
}

export interface User {
  id: string;
  email: string;
  name: string;
}

@Injectable()
export class Users {
  constructor(private readonly users: UsersRepository) {}

  /** @throws Conflict when the address has an account */
  async create({ email, name, password }: NewUser): Promise<User> {
    const user = { id: newId('user'), email: normalizeEmail(email), name };
    const passwordHash = password === null ? null : await hashPassword(normalizePassword(password));
    if (!(await this.users.insert({ ...user, passwordHash }))) {
      throw new Conflict(`The address ${user.email} has an account already.`);
    }
    return user;
  }

  async me(caller: Caller): Promise<UserMeDto> {
    const { id, name, email } = caller.person!;
    const workspaces =
      caller.kind === 'personal_token'
        ? await this.users.workspacesOfToken(caller.credentialId)
        : await this.users.workspacesOf(id);
    return { id, name, email, workspaces };
  }
}
