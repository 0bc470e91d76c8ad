import { Column, Entity, PrimaryColumn } from 'typeorm';

import { ID } from '../core/database/index.js';

/** One try to send a delivery. */
@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn(ID)
  deliveryId!: string;

  /** 1 for the first. */
  @PrimaryColumn('smallint')
  number!: number;

  /** The HTTP status; null where there was no response. */
  @Column('integer', { nullable: true })
  status!: number | null;

  /** Why it failed, where the status does not say it. */
  @Column('text', { nullable: true })
  error!: string | null;

  @Column('integer')
  durationMs!: number;

  /** The beginning of its body. */
  @Column('text', { nullable: true })
  response!: string | null;

  @Column('timestamptz')
  attemptedAt!: Date;

  /** Where it went; null for those of before this was kept. */
  @Column('text', { nullable: true })
  url!: string | null;

  /** The header `webhook-signature` that was sent; null as above. */
  @Column('text', { nullable: true })
  signature!: string | null;
}
