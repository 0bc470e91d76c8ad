import { ApiProperty } from '@nestjs/swagger';

import { IsTimestamp } from '../core/http/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery.status.js';

export class WebhookDeliveryDto {
  /** Also sent as the header `webhook-id`. */
  id: string;

  /** The same for every endpoint, and for what is sent again. */
  eventId: string;

  eventType: string;

  /** `failed`: no further attempt will be made. */
  @ApiProperty({ enum: DELIVERY_STATUSES })
  status: DeliveryStatus;

  @ApiProperty({ type: 'integer' })
  attempts: number;

  /** The HTTP status of the last attempt; null where there was no response. */
  @ApiProperty({ type: 'integer', nullable: true })
  lastStatus: number | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  lastAttemptAt: string | null;

  /** When the next attempt is due; null unless it is pending. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  nextAttemptAt: string | null;

  /** The delivery that this one repeats; null for an original. */
  @ApiProperty({ type: String, nullable: true })
  redeliveryOf: string | null;

  @ApiProperty({ format: 'date-time' })
  createdAt: string;
}

export class WebhookDeliveryPage {
  items: WebhookDeliveryDto[];

  @ApiProperty({ type: String, nullable: true })
  nextCursor: string | null;
}

export class WebhookAttemptDto {
  /** 1 for the first. */
  @ApiProperty({ type: 'integer' })
  number: number;

  /** The HTTP status of the response; null where there was none. */
  @ApiProperty({ type: 'integer', nullable: true })
  status: number | null;

  /** Why it failed, where the status does not say it. */
  @ApiProperty({ type: String, nullable: true })
  error: string | null;

  @ApiProperty({ type: 'integer' })
  durationMs: number;

  /** The first 1,024 bytes of the response's body; null where there was no response. */
  @ApiProperty({ type: String, nullable: true })
  response: string | null;

  @ApiProperty({ format: 'date-time' })
  attemptedAt: string;
}

export class WebhookAttemptPage {
  items: WebhookAttemptDto[];

  @ApiProperty({ type: String, nullable: true })
  nextCursor: string | null;
}

export class WebhookDeliveryOutcomeDto {
  deliveryId: string;

  /** True: it is queued and will be retried. False: it was attempted at once. */
  queued: boolean;

  /** Where it was attempted at once: whether it was accepted. */
  @ApiProperty({ required: false })
  ok?: boolean;

  /** Where it was attempted at once: the HTTP status; null where there was no response. */
  @ApiProperty({ type: 'integer', nullable: true, required: false })
  status?: number | null;
}

export class RecoverInput {
  /** Events since then that failed or are missing are queued again; at most 30 days ago. */
  @ApiProperty({ format: 'date-time' })
  @IsTimestamp()
  since: string;
}

export class WebhookRecoveryDto {
  /** How many deliveries were queued. */
  @ApiProperty({ type: 'integer' })
  queued: number;
}
