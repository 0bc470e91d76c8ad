import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';

/**
 * Runs of a script by day (UTC) and interface, counted as they start and end. No repository has it: it is counted up in the
 * statements that start and end runs, and only sums of it are read.
 */
@Entity('script_activity')
export class ScriptActivity {
  @ForeignKey('Script')
  @PrimaryColumn(ID)
  scriptId!: string;

  @PrimaryColumn('date')
  day!: string;

  @PrimaryColumn('text')
  interface!: string;

  @Column('integer', { default: 0 })
  runs!: number;

  @Column('integer', { default: 0 })
  succeeded!: number;

  @Column('integer', { default: 0 })
  failed!: number;

  /** When a run was last started that day. */
  @Column('timestamptz', { nullable: true })
  lastRunAt!: Date | null;
}
