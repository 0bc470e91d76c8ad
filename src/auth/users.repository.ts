import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, IsNull, Not, type Repository } from 'typeorm';

import type { Person } from '../core/access/index.js';
import { Database, insertIfAbsent, NOW } from '../core/database/index.js';
import type { WorkspaceOfUserDto } from './user.dto.js';
import { User } from './user.entity.js';
import { WORKSPACES_OF_TOKEN } from './users.sql.js';

export interface NewUserRow extends Pick<User, 'id' | 'email' | 'name' | 'passwordHash'> {
  /** Whether the address is known to be the person's. */
  isProven: boolean;
}

@Injectable()
export class UsersRepository {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly database: Database,
  ) {}

  /** False: the address has an account already. */
  insert({ isProven, ...user }: NewUserRow): Promise<boolean> {
    return insertIfAbsent(this.users, { ...user, emailProvenAt: isProven ? NOW : null });
  }

  /** The address is proved from now on, and the password that the account had until then is gone. False: it was proved before. */
  async prove(id: string): Promise<boolean> {
    const proven = { emailProvenAt: NOW, passwordHash: null };
    return (await this.users.update({ id, emailProvenAt: IsNull() }, proven)).affected === 1;
  }

  /** What was made before this moment was made before the proof, whenever its transaction has begun. */
  async settleProof(id: string): Promise<void> {
    await this.users.update({ id }, { emailProvenAt: () => 'clock_timestamp()' });
  }

  /** False: it is so already. Whoever opens a session for the person waits for the end of the surrounding transaction. */
  async setDisabled(id: string, disabled: boolean): Promise<boolean> {
    const before = { id, disabledAt: disabled ? IsNull() : Not(IsNull()) };
    return (await this.users.update(before, { disabledAt: disabled ? NOW : null })).affected === 1;
  }

  /** Of somebody whose directory says so. The address has to be one that no other account has. */
  async setNames(id: string, names: Pick<User, 'email' | 'name'>): Promise<void> {
    await this.users.update({ id }, names);
  }

  async clearPassword(id: string): Promise<void> {
    await this.users.update({ id }, { passwordHash: null });
  }

  findByEmail(email: string): Promise<User | null> {
    return this.users.findOneBy({ email });
  }

  /** Those of the people who can sign in, by their ids. */
  async findEnabled(ids: readonly string[]): Promise<Map<string, Person>> {
    const people = await this.users.find({
      select: { id: true, name: true, email: true },
      where: { id: Any([...ids]), disabledAt: IsNull() },
    });
    return new Map(people.map((person) => [person.id, person]));
  }

  find(id: string): Promise<User | null> {
    return this.users.findOneBy({ id });
  }

  /** False: the password is not `previous` any more. */
  async replacePassword(id: string, previous: string, next: string): Promise<boolean> {
    const { affected } = await this.users.update({ id, passwordHash: previous }, { passwordHash: next });
    return affected === 1;
  }

  /** Other changes of how this person signs in wait for the end of this transaction. */
  async lock(id: string): Promise<void> {
    await this.users.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  async setPassword(id: string, passwordHash: string): Promise<void> {
    await this.users.update({ id }, { passwordHash });
  }

  async setSecondFactor(id: string, secondFactor: boolean): Promise<void> {
    await this.users.update({ id }, { secondFactor });
  }

  workspacesOf(userId: string): Promise<WorkspaceOfUserDto[]> {
    return this.users.manager
      .createQueryBuilder('Membership', 'm')
      .innerJoin('m.workspace', 'w', 'w.deletedAt IS NULL')
      .select(['w.id AS id', 'w.name AS name', 'w.slug AS slug', 'm.role AS role'])
      .where({ userId })
      .orderBy('w.slug')
      .getRawMany<WorkspaceOfUserDto>();
  }

  /** Those in which a personal access token, or a grant to the command line, may act. */
  workspacesOfToken(id: string): Promise<WorkspaceOfUserDto[]> {
    return this.database.query<WorkspaceOfUserDto>(WORKSPACES_OF_TOKEN, [id]);
  }
}
