import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';
import type { ChallengePurpose } from './challenge-purpose.js';

/** What a browser has been asked to show, and has not shown yet. */
@Entity('factor_challenges')
@Index('factor_challenges_expiry', ['expiresAt'])
export class FactorChallenge {
  /** Of the secret, which the browser alone has, in a cookie. */
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('text')
  purpose!: ChallengePurpose;

  /** null: it is not known yet who signs in. */
  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  userId!: string | null;

  /** The hash of the password's hash that was right: another password since then makes it void. */
  @Column('bytea', { nullable: true })
  passwordProof!: Buffer | null;

  @Column('timestamptz')
  expiresAt!: Date;
}
