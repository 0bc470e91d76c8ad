import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';

import { AutomationEntity, type Filter } from '../automations/index.js';
import { computed, ID } from '../core/database/index.js';

/** On which events a script runs by itself. */
@Entity('triggers')
@Index('triggers_by_event', ['workspaceId', 'eventType'], { where: 'enabled' })
@Index('triggers_by_script', ['scriptId', 'id'])
@Index('triggers_list', ['environmentId', 'id'])
@Check('triggers_reason_check', `(NOT enabled) OR (disabled_reason IS NULL)`)
export class Trigger extends AutomationEntity {
  @Column(ID)
  eventType!: string;

  /** Not `jsonb`, which forgets the order of what was sent. */
  @Column('json')
  filter!: Filter;

  /** Who last set its filter or inputs, and so what it tells of events: it must tell nothing that they may not see. */
  @ForeignKey('User')
  @Column({ ...ID, nullable: true })
  authorUserId!: string | null;

  /** The grant that says which scripts there were for the author's app; null: all that they may see themselves. */
  @Column({ ...ID, nullable: true })
  authorScriptChoice!: string | null;

  @Column('timestamptz', { nullable: true })
  lastFiredAt!: Date | null;

  /** Of its JSON: a page of a list ends by it, without reading what is large. */
  @Column(computed('octet_length(filter::text) + octet_length(inputs::text)'))
  bytes!: number;
}
