import { Column, Entity, Unique } from 'typeorm';

import { CreatedEntity } from '../core/database/index.js';

/** A person who can sign in. */
@Entity('users')
@Unique('users_email_key', ['email'])
export class User extends CreatedEntity {
  /** As `normalizeEmail` has it. */
  @Column('text')
  email!: string;

  @Column('text')
  name!: string;

  /** null: an account that cannot sign in until it has a password. */
  @Column('text', { nullable: true })
  passwordHash!: string | null;

  /**
   * When the person showed that the address is theirs: by a link that was mailed there, or at a provider. null: whoever
   * made the account may have been somebody else.
   */
  @Column('timestamptz', { nullable: true })
  emailProvenAt!: Date | null;

  /** Whether a passkey or an app for codes is set up: written with them, by `FactorChangesService`. */
  @Column('boolean', { default: false })
  secondFactor!: boolean;

  /** Since when nobody can sign in to it; null: somebody can. */
  @Column('timestamptz', { nullable: true })
  disabledAt!: Date | null;
}
