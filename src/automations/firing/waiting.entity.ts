import { Column, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';

/** What waits until a process has taken it and is done with it, such as a schedule whose run is to start. */
export abstract class WaitingEntity {
  /** Of what fires, an event or a schedule, or its own. */
  @PrimaryColumn(ID)
  id!: string;

  @Column(ID)
  workspaceId!: string;

  /** How often somebody began it, and did not come to an end. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** Not before then, after an attempt that failed. */
  @Column('timestamptz', { default: () => 'now()' })
  dueAt!: Date;

  /** Counts how often it was taken; a process's writes name it, so that one that lost it writes nothing. */
  @Column('integer', { default: 0 })
  claim!: number;

  /** The process that has it. */
  @Column({ ...ID, nullable: true })
  workerId!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;
}
