import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import type { Meter } from '../core/config/index.js';
import { ID } from '../core/database/index.js';

/** What a workspace used of one meter in one period. */
@Entity('usage_counters')
@Index('usage_counters_not_warned', ['periodStart'], { where: 'warned_at IS NULL' })
export class UsageCounter {
  @PrimaryColumn(ID)
  workspaceId!: string;

  @PrimaryColumn(ID)
  meter!: Meter;

  /** The epoch for what is not counted anew in each period, such as the bytes that are kept now. */
  @PrimaryColumn('timestamptz')
  periodStart!: Date;

  @Column('bigint', { default: 0 })
  used!: number;

  /** When the workspace's owners were told that the limit is near. */
  @Column('timestamptz', { nullable: true })
  warnedAt!: Date | null;
}
