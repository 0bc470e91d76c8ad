import { Column, Entity, Index } from 'typeorm';

import { WaitingEntity } from '../../automations/index.js';
import { ID } from '../../core/database/index.js';

/** An event that triggers listen for, until all of them have fired that it fits. */
@Entity('waiting_firings')
@Index('waiting_firings_queue', ['workspaceId', 'id'], { where: 'worker_id IS NULL' })
@Index('waiting_firings_taken', ['workspaceId', 'workerId'], { where: 'worker_id IS NOT NULL' })
export class WaitingFiring extends WaitingEntity {
  /** Those that have not fired yet, in the order of their ids; null: nobody has looked which they are. */
  @Column({ ...ID, array: true, nullable: true })
  triggerIds!: string[] | null;
}
