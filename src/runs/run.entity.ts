import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID, oneOf } from '../core/database/entity-columns.js';
import {
  RUN_INTERFACES,
  RUN_PHASES,
  RUN_STATUSES,
  type RunInterface,
  type RunPhase,
  type RunStatus,
} from './run.status.js';

/** One execution of a version. */
@Entity('runs')
@Index('runs_by_environment', ['environmentId', 'id'])
@Index('runs_by_interface', ['workspaceId', 'interface', 'id'])
@Index('runs_by_person', ['workspaceId', 'startedByUserId', 'id'])
@Index('runs_by_schedule', ['scheduleId', 'id'], { where: 'schedule_id IS NOT NULL' })
@Index('runs_by_script', ['scriptId', 'id'])
@Index('runs_by_status', ['workspaceId', 'status', 'id'])
@Index('runs_by_trigger', ['triggerId', 'id'], { where: 'trigger_id IS NOT NULL' })
@Index('runs_leased', ['leaseUntil'], { where: 'lease_until IS NOT NULL' })
@Index('runs_list', ['workspaceId', 'id'])
@Index('runs_queue', ['workspaceId', 'id'], { where: `phase = 'queued'` })
@Index('runs_taken', ['workspaceId', 'workerId'], { where: `phase IN ('starting', 'executing')` })
@Check('runs_interface_check', oneOf('interface', RUN_INTERFACES))
@Check('runs_phase_check', oneOf('phase', RUN_PHASES))
@Check('runs_status_check', oneOf('status', RUN_STATUSES))
export class Run {
  @PrimaryColumn(ID)
  id!: string;

  @Column(ID)
  workspaceId!: string;

  @Column(ID)
  environmentId!: string;

  @Column(ID)
  scriptId!: string;

  @Column('text')
  scriptSlug!: string;

  @Column(ID)
  versionId!: string;

  @Column('integer')
  version!: number;

  @Column('text')
  status!: RunStatus;

  @Column('text')
  phase!: RunPhase;

  @Column('json')
  inputs!: unknown;

  @Column('json', { nullable: true })
  output!: unknown;

  @Column('text', { nullable: true })
  error!: string | null;

  @Column({ ...ID, nullable: true })
  startedByUserId!: string | null;

  @Column({ ...ID, nullable: true })
  credentialId!: string | null;

  @Column('text', { nullable: true })
  credentialType!: string | null;

  @Column('text', { nullable: true })
  credentialName!: string | null;

  @Column('boolean')
  byAgent!: boolean;

  @Column('text')
  interface!: RunInterface;

  @Column({ ...ID, nullable: true })
  approvalRequestId!: string | null;

  @Column({ ...ID, nullable: true })
  scheduleId!: string | null;

  @Column({ ...ID, nullable: true })
  triggerId!: string | null;

  @Column('boolean')
  test!: boolean;

  @Column('double precision', { nullable: true })
  progress!: number | null;

  @Column('text', { nullable: true })
  progressMessage!: string | null;

  @Column('integer', { default: 0 })
  logLines!: number;

  @Column('json', { default: [] })
  network!: unknown;

  @Column(CREATED)
  startedAt!: Date;

  @Column('timestamptz', { nullable: true })
  executionStartedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;

  @Column('integer', { nullable: true })
  durationMs!: number | null;

  @Column('timestamptz', { nullable: true })
  cancelRequestedAt!: Date | null;

  @Column('integer', { default: 0 })
  claim!: number;

  @Column({ ...ID, nullable: true })
  workerId!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;

  @Column('integer', { default: 0 })
  hops!: number;

  @Column({ ...ID, nullable: true })
  chainEventId!: string | null;
}
