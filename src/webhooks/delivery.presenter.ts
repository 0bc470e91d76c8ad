import type { WebhookAttemptDto, WebhookDeliveryDto, WebhookDeliveryOutcomeDto } from './delivery.dto.js';
import type { WebhookAttempt } from './webhook-attempt.entity.js';
import type { WebhookDelivery } from './webhook-delivery.entity.js';

export function presentDelivery(delivery: WebhookDelivery): WebhookDeliveryDto {
  return {
    id: delivery.id,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    status: delivery.status,
    attempts: delivery.attempts,
    lastStatus: delivery.lastStatus,
    lastAttemptAt: delivery.lastAttemptAt?.toISOString() ?? null,
    nextAttemptAt: delivery.status === 'pending' ? delivery.nextAttemptAt.toISOString() : null,
    redeliveryOf: delivery.redeliveryOf,
    createdAt: delivery.createdAt.toISOString(),
  };
}

export function presentAttempt(attempt: WebhookAttempt): WebhookAttemptDto {
  return {
    number: attempt.number,
    status: attempt.status,
    error: attempt.error,
    durationMs: attempt.durationMs,
    response: attempt.response,
    attemptedAt: attempt.attemptedAt.toISOString(),
  };
}

/** What came of a delivery that was attempted at once. */
export function deliveryOutcome(
  deliveryId: string,
  { ok, status }: { ok: boolean; status: number | null },
): WebhookDeliveryOutcomeDto {
  return { deliveryId, queued: false, ok, status };
}
