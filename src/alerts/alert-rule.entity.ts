import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';

import { AttributedEntity, CREATED, ID } from '../core/database/index.js';
import type { NamedCondition, QuietHours, Slow } from './alert.conditions.js';

/** What somebody wants to be told of, and where. */
@Entity('alert_rules')
@Index('alert_rules_list', ['workspaceId', 'id'])
@Index('alert_rules_overdue', ['deadlineAt'], { where: 'deadline_at IS NOT NULL' })
@Check('alert_rules_deadline_check', `deadline_at IS NULL OR (enabled AND not_succeeded_for IS NOT NULL)`)
export class AlertRule extends AttributedEntity {
  @Column('text')
  name!: string;

  /** Only of this one; null: of all. A rule for a schedule has its script, too. */
  @ForeignKey('Script')
  @Column({ ...ID, nullable: true })
  scriptId!: string | null;

  @ForeignKey('Schedule', { onDelete: 'CASCADE' })
  @Column({ ...ID, nullable: true })
  scheduleId!: string | null;

  @Column('text', { array: true })
  on!: NamedCondition[];

  @Column('jsonb', { nullable: true })
  slow!: Slow | null;

  /** Seconds. */
  @Column('integer', { nullable: true })
  notSucceededFor!: number | null;

  /** The name of a channel. No process has it any more where its extension was taken away. */
  @Column('text')
  channel!: string;

  /** Of its address; null: the channel needs none. */
  @Column('text', { nullable: true })
  host!: string | null;

  /** Sealed by the key of the workspace: whoever has the address may post there. */
  @Column('bytea', { nullable: true })
  sealedUrl!: Buffer | null;

  /** Addresses of members; none: those of owners and admins. */
  @Column('text', { array: true, default: [] })
  recipients!: string[];

  @Column('integer')
  groupSeconds!: number;

  @Column('jsonb', { nullable: true })
  quietHours!: QuietHours | null;

  @Column('boolean', { default: true })
  enabled!: boolean;

  /** Of `notSucceededFor`: the newest success, or when it began to wait. */
  @Column(CREATED)
  lastSuccessAt!: Date;

  /** When it tells that there was none. null: it does not, or has. */
  @Column('timestamptz', { nullable: true })
  deadlineAt!: Date | null;

  /** No message begins before: the end of the newest one's window. */
  @Column(CREATED)
  nextMessageAt!: Date;

  @Column(CREATED)
  updatedAt!: Date;
}
