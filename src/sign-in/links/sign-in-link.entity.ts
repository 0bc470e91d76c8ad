import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

import { ID } from '../../core/database/index.js';

/** A link of the operator's with which somebody signs in once. Only the hash of its token is kept; of each person the newest. */
@Entity('sign_in_links')
@Unique('sign_in_links_person', ['userId'])
@Index('sign_in_links_expiry', ['expiresAt'])
export class SignInLink {
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @ForeignKey('User')
  @Column(ID)
  userId!: string;

  @Column('timestamptz')
  expiresAt!: Date;
}
