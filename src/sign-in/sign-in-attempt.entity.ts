import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

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

  @Column('timestamptz')
  expiresAt!: Date;
}
