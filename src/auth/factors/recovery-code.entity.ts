import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';

/** A code for somebody who has lost their device. It is deleted when it is used. */
@Entity('recovery_codes')
export class RecoveryCode {
  @ForeignKey('User')
  @PrimaryColumn(ID)
  userId!: string;

  /** Of 80 random bits, which nobody tries out. */
  @PrimaryColumn('bytea')
  hash!: Buffer;
}
