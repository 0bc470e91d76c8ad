import { Check, Column, Entity, Index } from 'typeorm';

import { AutomationEntity } from '../automations/index.js';
import { computed, ID } from '../core/database/index.js';

/** When a script runs by itself. An enabled one always has a next time, by which it is found. */
@Entity('schedules')
@Index('schedules_by_creator', ['createdByUserId'], { where: 'enabled' })
@Index('schedules_by_environment', ['environmentId', 'id'])
@Index('schedules_by_script', ['scriptId', 'id'])
@Index('schedules_due', ['nextRunAt'], { where: 'next_run_at IS NOT NULL' })
@Index('schedules_list', ['workspaceId', 'id'])
@Check('schedules_due_check', `enabled = (next_run_at IS NOT NULL)`)
@Check('schedules_reason_check', `(NOT enabled) OR (disabled_reason IS NULL)`)
export class Schedule extends AutomationEntity {
  @Column('text')
  cron!: string;

  @Column('text')
  timezone!: string;

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
