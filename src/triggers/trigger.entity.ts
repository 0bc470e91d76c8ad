import { Check, Column, Entity, ForeignKey, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';

import { computed, CREATED, ID } from '../core/database/index.js';
import type { Environment } from '../environments/index.js';
import type { Script } from '../scripts/index.js';
import type { Filter } from './matching/filter.js';

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

  @Column(ID)
  eventType!: string;

  /** Not `jsonb`, which forgets the order of what was sent. */
  @Column('json')
  filter!: Filter;

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

  /** Who last set its filter or inputs, and so what it tells of events: it must tell nothing that they may not see. */
  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  authorUserId!: string | null;

  @Column('timestamptz', { nullable: true })
  lastFiredAt!: Date | null;

  @Column(CREATED)
  createdAt!: Date;

  /** Of its JSON: a page of a list ends by it, without reading what is large. */
  @Column(computed('octet_length(filter::text) + octet_length(inputs::text)'))
  bytes!: number;
}
