import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../database/index.js';

/** A mail that is still to be sent, sealed with the master key. */
@Entity('mails')
@Index('mails_due', ['dueAt'])
export class Mail {
  @PrimaryColumn(ID)
  id!: string;

  @Column('bytea')
  message!: Buffer;

  @Column('integer', { default: 0 })
  attempts!: number;

  @Column(CREATED)
  dueAt!: Date;

  @Column(CREATED)
  createdAt!: Date;
}
