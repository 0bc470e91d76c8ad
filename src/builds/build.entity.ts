import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID, oneOf } from '../core/database/entity-columns.js';
import { BUILD_STATUSES, type BuildStatus } from './build.status.js';

/** The installation of what versions of the same content depend on. */
@Entity('builds')
@Index('builds_content', ['workspaceId', 'contentKey'], { unique: true, where: `status <> 'failed'` })
@Index('builds_failed', ['finishedAt'], { where: `status = 'failed'` })
@Index('builds_leases', ['leaseUntil'], { where: `status = 'running'` })
@Index('builds_lost', ['workspaceId', 'contentKey'], { where: `status = 'failed' AND losses > 0` })
@Index('builds_queue', ['runtime', 'workspaceId', 'id'], { where: `status = 'queued'` })
@Index('builds_taken', ['workspaceId', 'workerId'], { where: `status = 'running'` })
@Check('builds_layer_check', `(status = 'succeeded') = (deps_key IS NOT NULL)`)
@Check('builds_status_check', oneOf('status', BUILD_STATUSES))
export class Build {
  @PrimaryColumn(ID)
  id!: string;

  @ForeignKey('Workspace')
  @Column(ID)
  workspaceId!: string;

  @Column('text')
  contentKey!: string;

  @Column('text')
  runtime!: string;

  @Column('json')
  recipe!: unknown;

  @Column('text')
  archiveKey!: string;

  @Column('text', { default: 'queued' })
  status!: BuildStatus;

  @Column('text', { default: '' })
  log!: string;

  @Column('text', { nullable: true })
  error!: string | null;

  @Column('text', { nullable: true })
  depsKey!: string | null;

  @Column('integer', { nullable: true })
  depsBytes!: number | null;

  @Column('integer', { default: 0 })
  claim!: number;

  @Column({ ...ID, nullable: true })
  workerId!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;

  @Column(CREATED)
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;

  @Column('integer', { default: 0 })
  losses!: number;
}
