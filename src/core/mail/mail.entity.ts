import { Column, Entity, Index } from 'typeorm';

import { CREATED, CreatedEntity } from '../database/index.js';

/** A mail that is still to be sent, sealed with the master key. */
@Entity('mails')
@Index('mails_due', ['dueAt'])
export class Mail extends CreatedEntity {
  @Column('bytea')
  message!: Buffer;

  @Column('integer', { default: 0 })
  attempts!: number;

  @Column(CREATED)
  dueAt!: Date;
}
