import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';

/** An event that triggers listen for, until all of them have fired that it fits. */
@Entity('waiting_firings')
@Index('waiting_firings_queue', ['workspaceId', 'id'], { where: 'worker_id IS NULL' })
@Index('waiting_firings_taken', ['workspaceId', 'workerId'], { where: 'worker_id IS NOT NULL' })
export class WaitingFiring {
  /** The event's. */
  @PrimaryColumn(ID)
  id!: string;

  @Column(ID)
  workspaceId!: string;

  /** Those that have not fired yet, in the order of their ids; null: nobody has looked which they are. */
  @Column({ ...ID, array: true, nullable: true })
  triggerIds!: string[] | null;

  /** How often somebody began to fire the next of them, and did not come to an end. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** Not before then, after an attempt that failed. */
  @Column('timestamptz', { default: () => 'now()' })
  dueAt!: Date;

  /** Counts how often it was taken; a process's writes name it, so that one that lost it writes nothing. */
  @Column('integer', { default: 0 })
  claim!: number;

  /** The process that fires it. */
  @Column({ ...ID, nullable: true })
  workerId!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;
}
