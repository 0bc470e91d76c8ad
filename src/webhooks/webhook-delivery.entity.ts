import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

import { CREATED, ID, oneOf } from '../core/database/entity-columns.js';

/** One event on its way to one endpoint. */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_again', ['eventId', 'endpointId'], { where: 'redelivery_of IS NOT NULL' })
@Index('webhook_deliveries_due', ['endpointId', 'nextAttemptAt', 'id'], { where: `status = 'pending'` })
@Index('webhook_deliveries_list', ['endpointId', 'id'])
@Index('webhook_deliveries_original', ['eventId', 'endpointId'], {
  unique: true,
  where: 'redelivery_of IS NULL',
})
@Check('webhook_deliveries_status_check', oneOf('status', ['pending', 'delivered', 'failed']))
export class WebhookDelivery {
  @PrimaryColumn(ID)
  id!: string;

  @Column(ID)
  endpointId!: string;

  @Column(ID)
  eventId!: string;

  @Column('text')
  eventType!: string;

  @Column('text', { default: 'pending' })
  status!: 'pending' | 'delivered' | 'failed';

  @Column('smallint', { default: 0 })
  attempts!: number;

  @Column('smallint', { default: 6 })
  maxAttempts!: number;

  @Column('integer', { nullable: true })
  lastStatus!: number | null;

  @Column('timestamptz', { nullable: true })
  lastAttemptAt!: Date | null;

  @Column(CREATED)
  nextAttemptAt!: Date;

  @Column({ ...ID, nullable: true })
  redeliveryOf!: string | null;

  @Column(CREATED)
  createdAt!: Date;
}
