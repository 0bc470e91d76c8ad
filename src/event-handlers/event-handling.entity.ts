import { Column, Entity, Index, Unique } from 'typeorm';

import { WaitingEntity } from '../automations/index.js';
import { CREATED, ID } from '../core/database/index.js';

/** An event that a handler is still to be called for, or that was set aside after its last attempt. */
@Entity('event_handlings')
@Unique('event_handlings_once', ['eventId', 'handler'])
@Index('event_handlings_queue', ['handler', 'workspaceId', 'id'], {
  where: 'worker_id IS NULL AND set_aside_at IS NULL',
})
@Index('event_handlings_taken', ['handler', 'workspaceId', 'workerId'], { where: 'worker_id IS NOT NULL' })
@Index('event_handlings_set_aside', ['handler'], { where: 'set_aside_at IS NOT NULL' })
@Index('event_handlings_created', ['createdAt'])
export class EventHandling extends WaitingEntity {
  @Column(CREATED)
  createdAt!: Date;

  /** The name of a handler. No process has it any more where its extension was taken away. */
  @Column('text')
  handler!: string;

  @Column(ID)
  eventId!: string;

  /** It is not tried any more since then. */
  @Column('timestamptz', { nullable: true })
  setAsideAt!: Date | null;
}
