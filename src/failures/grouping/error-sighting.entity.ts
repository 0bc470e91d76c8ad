import { Column, Entity, PrimaryColumn } from 'typeorm';

import { CREATED, ID } from '../../core/database/index.js';

/** A failure that has still to be counted for an error. Deleted when it was. */
@Entity('error_sightings')
export class ErrorSighting {
  @PrimaryColumn(ID)
  workspaceId!: string;

  @PrimaryColumn(ID)
  eventId!: string;

  @Column(ID)
  runId!: string;

  /** When the run failed. */
  @Column(CREATED)
  at!: Date;
}
