import { Column, Entity, PrimaryColumn } from 'typeorm';

import { ID } from '../core/database/entity-columns.js';

/** One try to send a delivery. */
@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn(ID)
  deliveryId!: string;

  @PrimaryColumn('smallint')
  number!: number;

  @Column('integer', { nullable: true })
  status!: number | null;

  @Column('text', { nullable: true })
  error!: string | null;

  @Column('integer')
  durationMs!: number;

  @Column('text', { nullable: true })
  answer!: string | null;

  @Column('timestamptz')
  attemptedAt!: Date;
}
