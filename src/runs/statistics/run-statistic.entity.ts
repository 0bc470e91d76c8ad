import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { ID, oneOf } from '../../core/database/index.js';
import type { Bins } from './bins.js';

export const UNITS = ['hour', 'day'] as const;
export type Unit = (typeof UNITS)[number];

/** How runs of a version ended in an environment, in an hour and in a day (UTC). Test runs are not counted. */
@Entity('run_statistics')
@Check('run_statistics_unit_check', oneOf('unit', UNITS))
@Index('run_statistics_age', ['unit', 'at'])
@Index('run_statistics_by_script', ['scriptId', 'unit', 'at'])
export class RunStatistic {
  @ForeignKey('Workspace')
  @PrimaryColumn(ID)
  workspaceId!: string;

  @PrimaryColumn('text')
  unit!: Unit;

  /** When it begins. */
  @PrimaryColumn('timestamptz')
  at!: Date;

  @ForeignKey('Script')
  @PrimaryColumn(ID)
  scriptId!: string;

  @ForeignKey('Environment')
  @PrimaryColumn(ID)
  environmentId!: string;

  @PrimaryColumn('integer')
  version!: number;

  @Column('integer')
  succeeded!: number;

  @Column('integer')
  failed!: number;

  @Column('integer')
  cancelled!: number;

  /** How long those took that succeeded or failed. */
  @Column('jsonb')
  durations!: Bins;

  /** How long those waited that began. */
  @Column('jsonb')
  waits!: Bins;
}
