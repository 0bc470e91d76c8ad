import { Check, Column, Entity, Index } from 'typeorm';

import { CREATED, CreatedEntity, ID, oneOf } from '../core/database/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery.status.js';

/**
 * One event on its way to one endpoint: once by itself, and again where somebody asks for it. It has no foreign keys, which
 * would double the cost of a row; the deliveries of a deleted endpoint are deleted in batches.
 */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_again', ['eventId', 'endpointId'], { where: 'redelivery_of IS NOT NULL' })
@Index('webhook_deliveries_due', ['endpointId', 'nextAttemptAt', 'id'], { where: `status = 'pending'` })
@Index('webhook_deliveries_failed', ['endpointId', 'id'], { where: `status = 'failed'` })
@Index('webhook_deliveries_list', ['endpointId', 'id'])
@Index('webhook_deliveries_original', ['eventId', 'endpointId'], {
  unique: true,
  where: 'redelivery_of IS NULL',
})
@Check('webhook_deliveries_status_check', oneOf('status', DELIVERY_STATUSES))
export class WebhookDelivery extends CreatedEntity {
  @Column(ID)
  endpointId!: string;

  @Column(ID)
  eventId!: string;

  @Column('text')
  eventType!: string;

  @Column('text', { default: 'pending' })
  status!: DeliveryStatus;

  /** How many were made. */
  @Column('smallint', { default: 0 })
  attempts!: number;

  @Column('smallint', { default: 6 })
  maxAttempts!: number;

  /** The HTTP status of the last attempt; null where there was no response. */
  @Column('integer', { nullable: true })
  lastStatus!: number | null;

  @Column('timestamptz', { nullable: true })
  lastAttemptAt!: Date | null;

  /** Says nothing once the delivery is not pending any more. */
  @Column(CREATED)
  nextAttemptAt!: Date;

  /** The delivery that this one repeats; null for the one that the event itself made. */
  @Column({ ...ID, nullable: true })
  redeliveryOf!: string | null;
}
