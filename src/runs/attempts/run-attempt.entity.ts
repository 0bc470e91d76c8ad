import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import type { HostUsage } from '../../../libs/egress/index.js';
import { ID } from '../../core/database/index.js';

/** An attempt of a run after which another one follows. What the newest one did is in the run itself. */
@Entity('run_attempts')
export class RunAttempt {
  @ForeignKey('Run', { onDelete: 'CASCADE' })
  @PrimaryColumn(ID)
  runId!: string;

  /** Counted from 1. */
  @PrimaryColumn('integer')
  attempt!: number;

  @Column('text', { nullable: true })
  error!: string | null;

  /** When its command began; null: it never did. */
  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  finishedAt!: Date;

  @Column('integer', { nullable: true })
  durationMs!: number | null;

  @Column('json', { default: [] })
  network!: HostUsage[];

  /** How many lines of the run's log are its own. */
  @Column('integer')
  logLines!: number;
}
