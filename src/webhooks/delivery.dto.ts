import { ApiProperty } from '@nestjs/swagger';

import { IsTimestamp, PageOf } from '../core/http/index.js';
import type { DeliveryStatus } from './delivery.status.js';

export class WebhookDeliveryDto {
  /** Also sent as the header `webhook-id`. */
  id: string;

  /** The same for every endpoint, and for what is sent again. */
  eventId: string;

  eventType: string;

  /** `failed`: no further attempt will be made. */
  status: DeliveryStatus;

  attempts: number;

  /** The HTTP status of the last attempt; null where there was no response. */
  lastStatus: number | null;

  lastAttemptAt: string | null;

  /** When the next attempt is due; null unless it is pending. */
  nextAttemptAt: string | null;

  /** The delivery that this one repeats; null for an original. */
  redeliveryOf: string | null;

  createdAt: string;
}

export class WebhookDeliveryPage extends PageOf(WebhookDeliveryDto) {}

export class WebhookAttemptDto {
  /** 1 for the first. */
  number: number;

  /** The HTTP status of the response; null where there was none. */
  status: number | null;

  /** Why it failed, where the status does not say it. */
  error: string | null;

  durationMs: number;

  /** The first 1,024 bytes of the response's body; null where there was no response. */
  response: string | null;

  attemptedAt: string;
}

export class WebhookAttemptPage extends PageOf(WebhookAttemptDto) {}

export class WebhookDeliveryOutcomeDto {
  deliveryId: string;

  /** True: it is queued and will be retried. False: it was attempted at once. */
  queued: boolean;

  /** Where it was attempted at once: whether it was accepted. */
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
  queued: number;
}
