import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { ID } from '../core/database/index.js';

/** A sign-in that a browser has begun and not finished. */
@Entity('sign_in_attempts')
@Index('sign_in_attempts_expiry', ['expiresAt'])
export class SignInAttempt {
  /** Of the secret, which the browser alone has, in a cookie. */
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('text')
  way!: string;

  /** The page of the console to go on to. */
  @Column('text')
  next!: string;

  /** Who is signed in and proves once more who they are; null: somebody signs in. */
  @Column({ ...ID, nullable: true })
  userId!: string | null;

  @Column('timestamptz')
  expiresAt!: Date;
}
