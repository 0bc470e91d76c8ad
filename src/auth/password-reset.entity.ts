import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { ID } from '../core/database/index.js';

/** A link to set a new password, sent by mail. Only the hash of its token is kept. */
@Entity('password_resets')
@Index('password_resets_person', ['userId'])
export class PasswordReset {
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @ForeignKey('User')
  @Column(ID)
  userId!: string;

  @Column('timestamptz')
  expiresAt!: Date;

  /** Also set on links that another change of the password has made useless. */
  @Column('timestamptz', { nullable: true })
  usedAt!: Date | null;
}
