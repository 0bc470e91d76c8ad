import type { WebhookDelivery } from '@gatehouse/client/operations';

type Due = Pick<WebhookDelivery, 'nextAttemptAt'>;

/** Time for the attempt itself. */
const AFTER_MS = 2_000;
const SOONEST_MS = 3_000;
const LATEST_MS = 86_400_000;

/** No event tells of an attempt: in how long one of these is worth reading again; null: nothing more is tried. */
export function nextLook(deliveries: readonly Due[], now: number): number | null {
  const moments = deliveries.flatMap(({ nextAttemptAt }) =>
    nextAttemptAt === null ? [] : [Date.parse(nextAttemptAt)],
  );
  if (moments.length === 0) return null;
  return Math.min(LATEST_MS, Math.max(SOONEST_MS, Math.min(...moments) - now + AFTER_MS));
}
