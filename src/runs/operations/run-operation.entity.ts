import { Check, Column, Entity, Index } from 'typeorm';

import { CREATED, ID, oneOf, WorkspaceEntity } from '../../core/database/index.js';
import type { Run } from '../run.entity.js';
import type { RunFilters } from '../run-filters.js';
import {
  type LeftOutRun,
  OPERATION_KINDS,
  OPERATION_STATUSES,
  type OperationKind,
  type OperationStatus,
} from './run-operation.rules.js';

/** What is done to many runs, step by step, in the name of whoever asked for it. */
@Entity('run_operations')
@Index('run_operations_due', ['dueAt'], { where: `status = 'running'` })
@Index('run_operations_list', ['workspaceId', 'id'])
@Check('run_operations_kind_check', oneOf('kind', OPERATION_KINDS))
@Check('run_operations_status_check', oneOf('status', OPERATION_STATUSES))
export class RunOperation extends WorkspaceEntity {
  @Column('text')
  kind!: OperationKind;

  @Column('text', { default: 'running' })
  status!: OperationStatus;

  /** What was asked for, as it was written. */
  @Column('jsonb')
  filter!: RunFilters;

  /** Which runs belong to it, the oldest first. Empty once it has ended. */
  @Column('text', { array: true, select: false })
  runIds!: string[];

  @Column('integer')
  matched!: number;

  /** More runs fitted than it takes. */
  @Column('boolean')
  more!: boolean;

  @Column('integer', { default: 0 })
  done!: number;

  @Column('integer', { default: 0 })
  skipped!: number;

  @Column('integer', { default: 0 })
  failed!: number;

  /** The first of those that were skipped or failed. */
  @Column('jsonb', { default: [], select: false })
  leftOut!: LeftOutRun[];

  /** Why it has ended before its end. */
  @Column('text', { nullable: true })
  error!: string | null;

  /** Why it does not go on just now. */
  @Column('text', { nullable: true })
  waitsBecause!: string | null;

  /** Of a bound credential: it sees no other. */
  @Column({ ...ID, nullable: true })
  environmentId!: string | null;

  /** null for an API key of the workspace. */
  @Column({ ...ID, nullable: true })
  startedByUserId!: string | null;

  @Column(ID)
  credentialId!: string;

  @Column('text', { nullable: true })
  credentialType!: Run['credentialType'];

  @Column('text', { nullable: true })
  credentialName!: string | null;

  /** By what its holder is judged once more at each step. */
  @Column('text')
  credentialStrategy!: string;

  /** null once it has ended. */
  @Column('bytea', { nullable: true })
  credentialHash!: Buffer | null;

  /** The run whose script asked for it. */
  @Column({ ...ID, nullable: true })
  causedByRunId!: string | null;

  /** When somebody looks at it next: whoever carries a step out puts it off for as long as that may take. */
  @Column(CREATED)
  dueAt!: Date;

  /** How often the next step was begun and not ended. */
  @Column('integer', { default: 0 })
  attempts!: number;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;
}
