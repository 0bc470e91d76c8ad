import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { ID } from '../core/database/index.js';

/** To which error a run belongs. It stays with its run where the error is forgotten before. */
@Entity('error_runs')
@Index('error_runs_list', ['errorId', 'runId'])
export class ErrorRun {
  @ForeignKey('Run', { onDelete: 'CASCADE' })
  @PrimaryColumn(ID)
  runId!: string;

  @Column(ID)
  errorId!: string;
}
