import { Check, Column, Entity, Index } from 'typeorm';

import { CreatedEntity, ID } from '../database/index.js';
import { TRACEPARENT_CHECK } from '../tracing/index.js';

/** Something that happened, written in the transaction that made it happen. */
@Entity('events')
@Index('events_list', ['workspaceId', 'id'])
@Index('events_waiting', ['workspaceId', 'id'], { where: 'dispatched_at IS NULL' })
@Check('events_traceparent_check', TRACEPARENT_CHECK)
export class OutboxEvent extends CreatedEntity {
  @Column(ID)
  workspaceId!: string;

  @Column({ ...ID, nullable: true })
  environmentId!: string | null;

  @Column('text')
  type!: string;

  @Column('jsonb')
  data!: unknown;

  @Column({ ...ID, nullable: true })
  causedByRunId!: string | null;

  @Column('timestamptz', { nullable: true })
  dispatchedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  dispatchAfter!: Date | null;

  /** How many triggers and handlers are between it and what somebody did, as far as a handler told of it. */
  @Column('integer', { default: 0 })
  hops!: number;

  /** The event that began its chain; null: no handler told of it. */
  @Column({ ...ID, nullable: true })
  chainEventId!: string | null;

  /** How often handlers were called since, in the chain that it began. */
  @Column('integer', { default: 0 })
  chainCalls!: number;

  /** How many runs triggers and scripts have started since, in the chain that it began. */
  @Column('integer', { default: 0 })
  chainRuns!: number;

  /** Of the inputs of these runs. */
  @Column('bigint', { default: 0 })
  chainBytes!: number;

  /** The trace in which it happened, for what follows from it. */
  @Column('text', { nullable: true })
  traceparent!: string | null;
}
