import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

import { IsTimestamp, OptionalTimestamp, PageOf, PageQuery, WholeNumber } from '../core/http/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from './delivery.status.js';

const EVENT_TYPE = /^[a-z0-9_.-]{1,200}$/;

export class WebhookDeliveryQuery extends PageQuery {
  /** Only those of this status. */
  @ApiPropertyOptional({ enum: DELIVERY_STATUSES })
  @IsOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  /** Only those of events of this type. */
  @ApiPropertyOptional({ pattern: EVENT_TYPE.source })
  @IsOptional()
  @Matches(EVENT_TYPE, { message: 'must be a type of events; /v1/workspace/event-types lists them' })
  eventType?: string;

  /** Only those made from this moment on. */
  @OptionalTimestamp()
  since?: string;

  /** Only those made before this moment. */
  @OptionalTimestamp()
  until?: string;
}

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

/** Of a delivery there are six attempts at most, but columns hold as many as this. */
const MOST_NUMBER = 32_767;

export class WebhookRequestQuery {
  /** Of which attempt. Left out: the last one, or what will be sent where there was none. */
  @IsOptional()
  @WholeNumber()
  @IsInt()
  @Min(1)
  @Max(MOST_NUMBER)
  attempt?: number;
}

export class WebhookHeaderDto {
  name: string;

  value: string;
}

export class WebhookRequestDto {
  /** The attempt at which it was sent; null: there was none yet, and it will be sent so. */
  attempt: number | null;

  @ApiProperty({ enum: ['POST'] })
  method: 'POST';

  /** As it was at that attempt; the address of now for attempts made before Gatehouse kept it. */
  @ApiProperty({ format: 'uri' })
  url: string;

  /**
   * In the order in which they are sent. What is to be sent has neither `webhook-timestamp` nor `webhook-signature`, which are made
   * at each attempt; attempts made before Gatehouse kept it have no `webhook-signature`.
   */
  headers: WebhookHeaderDto[];

  /** Byte by byte; the same at each attempt. */
  body: string;
}

export class WebhookBucketDto {
  /** When its hour begins. */
  at: string;

  delivered: number;

  failed: number;

  pending: number;
}

export class WebhookStatisticsDto {
  /** The last 24 hours, in UTC, the oldest first: deliveries by when they were made and what they are by now. */
  buckets: WebhookBucketDto[];

  /** From when on they are counted. At most the newest 20,000 are: of an endpoint that gets more it is within the 24 hours. */
  countedSince: string;
}

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
