import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';

/** By which words a run is found. Written some seconds after it began and after it ended, beside its way. */
@Entity('run_words')
@Index('run_words_words', ['words'], { type: 'gin' })
export class RunWords {
  @ForeignKey('Run', { onDelete: 'CASCADE' })
  @PrimaryColumn(ID)
  runId!: string;

  @Column('tsvector', { select: false })
  words!: string;
}
