import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

import { computed, CREATED, ID } from '../core/database/index.js';
import type { Environment } from '../environments/index.js';
import type { Script } from '../scripts/index.js';

/** When a script runs by itself. An enabled one always has a next time, by which it is found. */
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

  @Column(ID)
  environmentId!: string;

  @ManyToOne('Environment')
  @JoinColumn({ name: 'environment_id' })
  environment?: Environment;

  @Column(ID)
  scriptId!: string;

  @ManyToOne('Script')
  @JoinColumn({ name: 'script_id' })
  script?: Script;

  @Column('text')
  name!: string;

  @Column('text')
  cron!: string;

  @Column('text')
  timezone!: string;

  /** Not `jsonb`, which forgets the order of what was sent. */
  @Column('json')
  inputs!: Record<string, unknown>;

  @Column('boolean', { default: true })
  enabled!: boolean;

  /** Why the system disabled it; null where somebody did. */
  @Column('text', { nullable: true })
  disabledReason!: string | null;

  /** Made or last changed by an agent, so that its runs count as an agent's. */
  @Column('boolean')
  byAgent!: boolean;

  /** Whom its runs are started as; null for an API key. */
  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  createdByUserId!: string | null;

  @Column(CREATED)
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  nextRunAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  lastRunAt!: Date | null;

  /** No foreign key: the schedule outlives its runs. */
  @Column({ ...ID, nullable: true })
  lastRunId!: string | null;

  /** Of its JSON: a page of a list ends by it, without reading what is large. */
  @Column(computed('octet_length(inputs::text)'))
  bytes!: number;
}
