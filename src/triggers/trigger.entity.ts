import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import { computed, CREATED, ID } from '../core/database/entity-columns.js';

/** On which events a script runs by itself. */
@Entity('triggers')
@Index('triggers_by_event', ['workspaceId', 'eventType'], { where: 'enabled' })
@Index('triggers_by_script', ['scriptId', 'id'])
@Index('triggers_list', ['environmentId', 'id'])
@Check('triggers_reason_check', `(NOT enabled) OR (disabled_reason IS NULL)`)
export class Trigger {
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

  @Column(ID)
  eventType!: string;

  @Column('json')
  filter!: unknown;

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

  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  authorUserId!: string | null;

  @Column('timestamptz', { nullable: true })
  lastFiredAt!: Date | null;

  @Column(CREATED)
  createdAt!: Date;

  @Column(computed('octet_length(filter::text) + octet_length(inputs::text)'))
  bytes!: number;
}
