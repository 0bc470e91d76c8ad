import { Injectable } from '@nestjs/common';

import type { Caller } from '../core/access/caller.js';
import { newId } from '../core/crypto/ids.js';
import { hashPassword } from '../core/crypto/passwords.js';
import { Conflict } from '../core/errors/problems.js';
import { normalizeEmail, normalizePassword } from './sign-in-text.js';
import type { UserMeDto } from './user.dto.js';
import { UsersRepository } from './users.repository.js';

export interface NewUser {
  email: string;
  name: string;
  /** null: an account that cannot sign in until it has one. */
  password: string | null;
}

export interface HashedUser extends Omit<NewUser, 'password'> {
  passwordHash: string | null;
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
    const passwordHash = password === null ? null : await this.hash(password);
    const user = await this.insert({ email, name, passwordHash });
    if (!user) throw new Conflict(`The address ${normalizeEmail(email)} has an account already.`);
    return user;
  }

  /** What is kept of a password. It takes its time, so make it before a transaction. `whom`: for whom it is. */
  hash(password: string, whom?: string): Promise<string> {
    return hashPassword(normalizePassword(password), whom);
  }

  /** null: the address has an account. */
  async insert({ email, name, passwordHash }: HashedUser): Promise<User | null> {
    const user = { id: newId('user'), email: normalizeEmail(email), name };
    return (await this.users.insert({ ...user, passwordHash })) ? user : null;
  }

  /** A person with all the workspaces that they are in. */
  async present({ id, name, email }: User): Promise<UserMeDto> {
    return { id, name, email, workspaces: await this.users.workspacesOf(id) };
  }

  async me(caller: Caller): Promise<UserMeDto> {
    if (caller.kind !== 'personal_token') return this.present(caller.person!);
    const { id, name, email } = caller.person!;
    return { id, name, email, workspaces: await this.users.workspacesOfToken(caller.credentialId) };
  }
}
