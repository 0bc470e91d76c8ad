import { Column, Entity, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';

/** An event of a run whose words have to be read anew. By the event, so that two of one run do not wait for each other. */
@Entity('unread_runs')
export class UnreadRun {
  @PrimaryColumn(ID)
  eventId!: string;

  @Column(ID)
  runId!: string;
}
