import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../core/database/index.js';

/** What is still to be sent. Entries of the audit trail are written by a trigger of the database. */
@Entity('log_sink_entries')
@Index('log_sink_entries_age', ['createdAt'])
@Index('log_sink_entries_new', ['id'], { where: 'number IS NULL' })
@Index('log_sink_entries_number', ['number'], { unique: true, where: 'number IS NOT NULL' })
export class LogSinkEntry {
  /** Of an entry of the audit trail, or of the event that tells a run's end. */
  @PrimaryColumn(ID)
  id!: string;

  /** Without a gap. null: it has none yet. */
  @Column('bigint', { nullable: true })
  number!: number | null;

  @Column(CREATED)
  createdAt!: Date;
}
