import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';

import { CREATED, ID, oneOf, WorkspaceEntity } from '../../core/database/index.js';
import type { AlertedEvent } from '../../notifications/index.js';

/** `waiting` takes in what else happens; `sending` is attempted until it is `sent` or has `failed`. */
export const MESSAGE_STATUSES = ['waiting', 'sending', 'sent', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/** What happened in a window of a rule, or of an incident of it, told at once. */
@Entity('alert_messages')
@Index('alert_messages_due', ['dueAt'], { where: `status IN ('waiting', 'sending')` })
@Index('alert_messages_list', ['ruleId', 'id'])
@Index('alert_messages_lately', ['workspaceId', 'attemptedAt'])
@Index('alert_messages_created', ['createdAt'])
@Index('alert_messages_open', ['ruleId', 'incident'], {
  unique: true,
  where: `status = 'waiting' AND NOT test`,
})
@Check('alert_messages_status_check', oneOf('status', MESSAGE_STATUSES))
export class AlertMessage extends WorkspaceEntity {
  @ForeignKey('AlertRule', { onDelete: 'CASCADE' })
  @Column(ID)
  ruleId!: string;

  /** What fails, such as a script in an environment, where the channel knows incidents; else empty. */
  @Column({ ...ID, default: '' })
  incident!: string;

  @Column('text', { default: 'waiting' })
  status!: MessageStatus;

  /** Somebody tries the rule. */
  @Column('boolean', { default: false })
  test!: boolean;

  @Column('integer', { default: 0 })
  count!: number;

  /** How many of each condition. */
  @Column('jsonb', { default: {} })
  conditions!: Record<string, number>;

  /** The first ten; of an incident the last one is always among them. */
  @Column('jsonb', { default: [] })
  events!: AlertedEvent[];

  /** Whose log it ends with: the newest that failed. */
  @Column({ ...ID, nullable: true })
  runId!: string | null;

  @Column('integer', { default: 0 })
  attempts!: number;

  /** When it is begun, or attempted again. */
  @Column(CREATED)
  dueAt!: Date;

  @Column('timestamptz', { nullable: true })
  attemptedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  sentAt!: Date | null;

  /** Why the last attempt failed. */
  @Column('text', { nullable: true })
  error!: string | null;
}
