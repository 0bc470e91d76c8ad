import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';

/**
 * Consecutive lines of a log, as they were written at once. No repository has it: it is written with its run, and cut to
 * lines where it is read.
 */
@Entity('run_log_chunks')
export class RunLogChunk {
  @ForeignKey('Run', { onDelete: 'CASCADE' })
  @PrimaryColumn(ID)
  runId!: string;

  @PrimaryColumn('integer')
  firstLine!: number;

  @Column('text', { array: true })
  lines!: string[];

  /** Null: written before times were kept. */
  @Column({ type: 'timestamptz', nullable: true, default: () => 'now()' })
  writtenAt!: Date | null;
}
