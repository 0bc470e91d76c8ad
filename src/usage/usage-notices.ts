import { METER_UNITS, type Meter, isGauge } from './meters.js';

/** From this share of a limit on, people are told of it. */
export const NEAR = 0.8;

export interface MeterReading {
  meter: Meter;
  used: number;
  /** null: there is none. */
  limit: number | null;
}

/** What a person should know about a meter: that its limit is near, or reached. */
export function noticeOf({ meter, used, limit }: MeterReading, periodEnd: Date): string | null {
  if (limit === null || used < limit * NEAR) return null;
  const unit = METER_UNITS[meter];
  const renewed = isGauge(meter) ? '' : ` The count begins anew on ${dayOf(periodEnd)}.`;
  if (used >= limit)
    return `The limit of ${amount(limit)} ${unit} is reached: no more are possible.${renewed}`;
  return `${percent(used, limit)} % of the limit are used: ${amount(used)} of ${amount(limit)} ${unit}.${renewed}`;
}

/** Why something that would use `more` of a meter is refused. */
export function refusalOf({ meter, used, limit }: MeterReading, more: number, periodEnd: Date): string {
  const unit = METER_UNITS[meter];
  const allowed = `The plan allows ${amount(limit ?? 0)} ${unit}`;
  if (isGauge(meter)) return `${allowed}; there are ${amount(used)}, and this would be ${amount(more)} more.`;
  return `${allowed} in a period, and ${amount(used)} are used. The next period begins on ${dayOf(periodEnd)}.`;
}

const amount = (number: number): string => number.toLocaleString('en-US');
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
/** Rounded down: 100 % is said only of what is used up. */
const percent = (used: number, limit: number): number => Math.floor((used / limit) * 100);
