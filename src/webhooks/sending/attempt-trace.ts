import type { Span, Tracing } from '../../core/tracing/index.js';
import type { AttemptOrigin, AttemptOutcome } from './attempt.js';

/** A span for an attempt, in the trace of its event; null where there is no tracing. Receivers are told nothing of it. */
export function beginAttempt(tracing: Tracing, deliveryId: string, origin: AttemptOrigin): Span | null {
  if (!tracing.isOn) return null;
  const { traceparent, eventId, eventType, endpointId, number } = origin;
  return tracing.begin(`deliver ${eventType}`, {
    kind: 'client',
    parent: traceparent,
    facts: {
      'gatehouse.event.id': eventId,
      'gatehouse.event.type': eventType,
      'gatehouse.delivery.id': deliveryId,
      'gatehouse.delivery.attempt': number,
      'gatehouse.endpoint.id': endpointId,
    },
  });
}

export function endAttempt(span: Span | null, { ok, status }: Pick<AttemptOutcome, 'ok' | 'status'>): void {
  span?.set({
    'gatehouse.delivery.ok': ok,
    ...(status !== null && { 'http.response.status_code': status }),
  });
  span?.end({ failed: !ok });
}
