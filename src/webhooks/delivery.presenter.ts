import type {
  WebhookAttemptDto,
  WebhookDeliveryDto,
  WebhookDeliveryOutcomeDto,
  WebhookRequestDto,
} from './delivery.dto.js';
import type { Message } from './sending/attempt.js';
import { type Header, messageHeaders, plainHeaders, timestampOf } from './sending/request-headers.js';
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

/** What was sent at an attempt; null: what will be. @param address of the endpoint, where the attempt does not know its own */
export function presentRequest(
  message: Message,
  attempt: WebhookAttempt | null,
  address: string,
): WebhookRequestDto {
  const url = attempt?.url ?? address;
  const headers = [...plainHeaders(new URL(url)), ...sentHeaders(message, attempt)];
  return {
    attempt: attempt?.number ?? null,
    method: 'POST',
    url,
    headers: headers.map(([name, value]) => ({ name, value })),
    body: message.body,
  };
}

function sentHeaders(message: Message, attempt: WebhookAttempt | null): Header[] {
  if (attempt === null) return messageHeaders(message, null);
  const { attemptedAt: at, signature } = attempt;
  if (signature !== null) return messageHeaders(message, { at, signature });
  const [id, ...others] = messageHeaders(message, null);
  return [id!, ['webhook-timestamp', String(timestampOf(at))], ...others];
}

/** What came of a delivery that was attempted at once. */
export function deliveryOutcome(
  deliveryId: string,
  { ok, status }: { ok: boolean; status: number | null },
): WebhookDeliveryOutcomeDto {
  return { deliveryId, queued: false, ok, status };
}
