import type { HourCount } from './deliveries.repository.js';
import type { WebhookBucketDto, WebhookStatisticsDto } from './delivery.dto.js';

const HOURS = 24;
const HOUR_MS = 3_600_000;
/** Enough for one every four seconds, and read in some milliseconds. */
export const MOST_COUNTED = 20_000;

/** When the first of the last 24 hours begins: the last one is going on. */
export function startOfHours(now: Date): Date {
  const hour = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS;
  return new Date(hour - (HOURS - 1) * HOUR_MS);
}

/** Each of the 24 hours, also those without a delivery. */
export function hoursOf(since: Date, counts: readonly HourCount[]): WebhookStatisticsDto {
  const buckets = Array.from({ length: HOURS }, (_, hour): WebhookBucketDto => {
    const at = new Date(since.getTime() + hour * HOUR_MS).toISOString();
    return { at, delivered: 0, failed: 0, pending: 0 };
  });
  let counted = 0;
  let first = Infinity;
  for (const { at, status, count, first: firstOfThem } of counts) {
    counted += count;
    first = Math.min(first, firstOfThem.getTime());
    // One that was made while this is read, in an hour that has just begun, belongs to the next answer.
    const bucket = buckets[(at.getTime() - since.getTime()) / HOUR_MS];
    if (bucket) bucket[status] += count;
  }
  const countedSince = counted < MOST_COUNTED ? since : new Date(first);
  return { buckets, countedSince: countedSince.toISOString() };
}
