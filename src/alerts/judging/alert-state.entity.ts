import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

import { ID } from '../../core/database/index.js';

/** How the newest run of a script in an environment ended, for a rule. */
@Entity('alert_states')
export class AlertState {
  @ForeignKey('AlertRule', { onDelete: 'CASCADE' })
  @PrimaryColumn(ID)
  ruleId!: string;

  @PrimaryColumn(ID)
  scriptId!: string;

  @PrimaryColumn(ID)
  environmentId!: string;

  @Column('boolean')
  failing!: boolean;

  /** By which it came about: what is older changes nothing any more. */
  @Column(ID)
  eventId!: string;
}
