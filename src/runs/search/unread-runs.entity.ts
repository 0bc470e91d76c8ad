import { Column, Entity, PrimaryColumn } from 'typeorm';

import { CREATED } from '../../core/database/index.js';

/** Runs whose words have to be read anew, as their events were dispatched together. */
@Entity('unread_runs')
export class UnreadRuns {
  @PrimaryColumn('uuid')
  id!: string;

  @Column(CREATED)
  notedAt!: Date;

  @Column('text', { array: true })
  runIds!: string[];
}
