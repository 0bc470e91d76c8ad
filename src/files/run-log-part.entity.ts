import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { ID } from '../core/database/index.js';

/** Lines of a run's log that follow each other and lie in the file store, as text. The database keeps others. */
@Entity('run_log_parts')
@Index('run_log_parts_by_blob', ['blobKey'])
export class RunLogPart {
  @ForeignKey('Run', { onDelete: 'CASCADE' })
  @PrimaryColumn(ID)
  runId!: string;

  @PrimaryColumn('integer')
  firstLine!: number;

  @Column('integer')
  lines!: number;

  @Column(ID)
  workspaceId!: string;

  /** In bytes. */
  @Column('bigint')
  size!: number;

  @ForeignKey('FileBlob')
  @Column(ID)
  blobKey!: string;
}
