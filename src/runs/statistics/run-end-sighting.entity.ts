import { Column, Entity, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../../core/database/index.js';

/** The end of a run that has still to be counted. Deleted when it was. */
@Entity('run_end_sightings')
export class RunEndSighting {
  @PrimaryColumn(ID)
  workspaceId!: string;

  @PrimaryColumn(ID)
  eventId!: string;

  @Column(ID)
  runId!: string;

  @Column(CREATED)
  at!: Date;
}
