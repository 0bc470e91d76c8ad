import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';

import { CREATED, ID, oneOf, WorkspaceEntity } from '../core/database/index.js';
import { ERROR_STATUSES, type ErrorStatus } from './error.status.js';

/** Runs of a script that failed in the same way, in one environment. */
@Entity('error_groups')
@Check('error_groups_status_check', oneOf('status', ERROR_STATUSES))
@Index('error_groups_age', ['lastAt'])
@Index('error_groups_kind', ['scriptId', 'environmentId', 'fingerprint'], { unique: true })
@Index('error_groups_list', ['workspaceId', 'lastEventId'])
export class ErrorGroup extends WorkspaceEntity {
  @ForeignKey('Environment')
  @Column(ID)
  environmentId!: string;

  @ForeignKey('Script')
  @Column(ID)
  scriptId!: string;

  /** The digest of what its runs have in common, see `kindOf`. */
  @Column('text')
  fingerprint!: string;

  /** What went wrong, without what differs from run to run. */
  @Column('text')
  title!: string;

  /** The type of exception that its runs ended with; null: none was seen. */
  @Column('text', { nullable: true })
  exception!: string | null;

  /** Where in the script's own code it was thrown; null: not known. */
  @Column('text', { nullable: true })
  place!: string | null;

  /** What its newest run said. */
  @Column('text')
  sample!: string;

  @Column('integer')
  count!: number;

  @Column(CREATED)
  firstAt!: Date;

  @Column(CREATED)
  lastAt!: Date;

  /** The event of its newest failure: the list goes by it. */
  @Column(ID)
  lastEventId!: string;

  @Column(ID)
  lastRunId!: string;

  /** Of the script, in the newest run. */
  @Column('integer')
  lastVersion!: number;

  @Column('text', { default: 'open' })
  status!: ErrorStatus;

  /** While it is ignored: until when; null: for good. */
  @Column('timestamptz', { nullable: true })
  ignoreUntil!: Date | null;

  /** When its status was last changed: what failed before changes it no more. */
  @Column(CREATED)
  statusAt!: Date;

  /** Who changed it; null: nobody did, or an API key. */
  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  statusByUserId!: string | null;
}
