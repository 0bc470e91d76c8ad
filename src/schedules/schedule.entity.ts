import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { computed, CREATED, ID } from '../core/database/entity-columns.js';

/** When a script runs by itself. */
@Entity('schedules')
@Index('schedules_by_creator', ['createdByUserId'], { where: 'enabled' })
@Index('schedules_by_environment', ['environmentId', 'id'])
@Index('schedules_by_script', ['scriptId', 'id'])
@Index('schedules_due', ['nextRunAt'], { where: 'next_run_at IS NOT NULL' })
@Index('schedules_list', ['workspaceId', 'id'])
@Check('schedules_due_check', `enabled = (next_run_at IS NOT NULL)`)
@Check('schedules_reason_check', `(NOT enabled) OR (disabled_reason IS NULL)`)
export class Schedule {
  @PrimaryColumn(ID)
  id!: string;

  @ForeignKey('Workspace')
  @Column(ID)
  workspaceId!: string;

  @ForeignKey('Environment')
  @Column(ID)
  environmentId!: string;

  @ForeignKey('Script')
  @Column(ID)
  scriptId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  cron!: string;

  @Column('text')
  timezone!: string;

  @Column('json')
  inputs!: unknown;

  @Column('boolean', { default: true })
  enabled!: boolean;

  @Column('text', { nullable: true })
  disabledReason!: string | null;

  @Column('boolean')
  byAgent!: boolean;

  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  createdByUserId!: string | null;

  @Column(CREATED)
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  nextRunAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  lastRunAt!: Date | null;

  @Column({ ...ID, nullable: true })
  lastRunId!: string | null;

  @Column(computed('octet_length(inputs::text)'))
  bytes!: number;
}
