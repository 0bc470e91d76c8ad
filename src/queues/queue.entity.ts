import { Check, Column, Entity, Index, Unique } from 'typeorm';

import { AttributedEntity, CREATED } from '../core/database/index.js';

export const MAX_QUEUE_LIMIT = 1000;

/** A number of places that the runs of some scripts share, in all environments of the workspace. */
@Entity('queues')
@Index('queues_list', ['workspaceId', 'id'])
@Unique('queues_name_key', ['workspaceId', 'name'])
@Check('queues_run_limit_check', `run_limit BETWEEN 1 AND ${MAX_QUEUE_LIMIT}`)
export class Queue extends AttributedEntity {
  /** Unique in the workspace. It never changes. */
  @Column('text')
  name!: string;

  /** How many runs go on at once; null: as many as there are workers for. */
  @Column('integer', { nullable: true })
  runLimit!: number | null;

  /** No run begins. Those that go on do. */
  @Column('boolean', { default: false })
  paused!: boolean;

  @Column(CREATED)
  updatedAt!: Date;
}
