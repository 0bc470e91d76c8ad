import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import type { WithheldRequest } from '../../../libs/egress/index.js';
import { ID } from '../../core/database/index.js';

export type PlannedProtocol = WithheldRequest['protocol'];

export interface PlannedHeader {
  name: string;
  value: string;
}

/** A request or a connection that a plan would have made. Its secrets are masked. */
@Entity('run_planned_requests')
export class PlannedRequest {
  @ForeignKey('Run', { onDelete: 'CASCADE' })
  @PrimaryColumn(ID)
  runId!: string;

  /** Counted from 1, in the order in which the script sent them. */
  @PrimaryColumn('integer')
  number!: number;

  @Column('timestamptz')
  at!: Date;

  @Column('text')
  protocol!: PlannedProtocol;

  /** With its port where that is not 443. */
  @Column('text')
  host!: string;

  /** Of PostgreSQL, the command of the statement; `CONNECT` of a connection. */
  @Column('text')
  method!: string;

  /** Path and query; of PostgreSQL, the database. */
  @Column('text')
  target!: string;

  @Column('json')
  headers!: PlannedHeader[];

  /** Of a short text; null: of anything else, and where there was no room for more. */
  @Column('text', { nullable: true })
  bodyText!: string | null;

  @Column('integer')
  bodyBytes!: number;

  /** Of a body whose text is not here. Of a text it could tell what was masked. */
  @Column('text', { nullable: true })
  bodySha256!: string | null;
}
