import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

import { CREATED, ID } from '../core/database/entity-columns.js';

/** A person who can sign in. */
@Entity('users')
@Unique('users_email_key', ['email'])
export class User {
  @PrimaryColumn(ID)
  id!: string;

  /** As `normalizeEmail` has it. */
  @Column('text')
  email!: string;

  @Column('text')
  name!: string;

  /** null: an account that cannot sign in until it has a password. */
  @Column('text', { nullable: true })
  passwordHash!: string | null;

  @Column(CREATED)
  createdAt!: Date;
}
