import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../../core/database/index.js';

/** What an app for codes and the service both know of a person. It counts once a code of it has been given. */
@Entity('totp_secrets')
export class TotpSecret {
  @ForeignKey('User')
  @PrimaryColumn(ID)
  userId!: string;

  /** By the master key; the context is the person's id. */
  @Column('bytea')
  sealed!: Buffer;

  /** The number of the half minute whose code was taken last: neither it nor one before is taken again. */
  @Column('integer', { default: 0 })
  lastStep!: number;

  /** null: it is being set up. */
  @Column('timestamptz', { nullable: true })
  confirmedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  lastUsedAt!: Date | null;

  @Column(CREATED)
  createdAt!: Date;
}
