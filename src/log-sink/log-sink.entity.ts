import { Column, Entity, PrimaryColumn } from 'typeorm';

import { ID } from '../core/database/index.js';

/** The one place outside to which entries are sent, and the process that sends. */
@Entity('log_sinks')
export class LogSink {
  @PrimaryColumn(ID)
  id!: string;

  /** Entries are collected until then. A process that has the setting moves it on. */
  @Column('timestamptz')
  wantedUntil!: Date;

  /** The last number that was given to an entry. */
  @Column('bigint', { default: 0 })
  lastNumber!: number;

  @Column({ ...ID, nullable: true })
  workerId!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;
}
