import { Injectable } from '@nestjs/common';

import type { Caller, Person } from '../core/access/index.js';
import { hashPassword, newId } from '../core/crypto/index.js';
import { Conflict } from '../core/errors/index.js';
import { normalizeEmail, normalizePassword } from './sign-in-text.js';
import type { UserMeDto } from './user.dto.js';
import { type NewUserRow, UsersRepository } from './users.repository.js';

interface NewUser {
  email: string;
  name: string;
  /** null: an account that cannot sign in until it has one. */
  password: string | null;
}

@Injectable()
export class UsersService {
  constructor(private readonly users: UsersRepository) {}

  /** @throws Conflict when the address has an account */
  async create({ email, name, password }: NewUser): Promise<Person> {
    const passwordHash = password === null ? null : await this.hash(password);
    const user = await this.insert({ email, name, passwordHash, isProven: false });
    if (!user) throw new Conflict(`The address ${normalizeEmail(email)} has an account already.`);
    return user;
  }

  /** Hashing is slow, so do it before a transaction. `whom`: whose request it is, since hashing takes turns between people. */
  hash(password: string, whom?: string): Promise<string> {
    return hashPassword(normalizePassword(password), whom);
  }

  /** null: the address has an account. */
  async insert({ email, name, ...row }: Omit<NewUserRow, 'id'>): Promise<Person | null> {
    const user = { id: newId('user'), email: normalizeEmail(email), name };
    return (await this.users.insert({ ...user, ...row })) ? user : null;
  }

  async findByEmail(email: string): Promise<Person | null> {
    const user = await this.users.findByEmail(normalizeEmail(email));
    return user && { id: user.id, email: user.email, name: user.name };
  }

  async find(id: string): Promise<Person | null> {
    const user = await this.users.find(id);
    return user && { id: user.id, email: user.email, name: user.name };
  }

  /** Whether nobody can sign in to it. */
  async isDisabled(id: string): Promise<boolean> {
    return (await this.users.find(id))?.disabledAt !== null;
  }

  /** Whether a workspace that takes a second factor lets the person in without a company's provider. */
  async hasSecondFactor(id: string): Promise<boolean> {
    const user = await this.users.find(id);
    return user !== null && (user.secondFactor || user.passwordHash === null);
  }

  /** A person with all the workspaces that they are in. */
  async present({ id, name, email }: Person): Promise<UserMeDto> {
    return { id, name, email, workspaces: await this.users.workspacesOf(id) };
  }

  async me(caller: Caller): Promise<UserMeDto> {
    if (caller.kind !== 'personal_token') return this.present(caller.person!);
    const { id, name, email } = caller.person!;
    return { id, name, email, workspaces: await this.users.workspacesOfToken(caller.credentialId) };
  }
}
