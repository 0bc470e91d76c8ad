import type { CronExpression } from './cron-expression.js';
import { countWallMinutes, nextWallMinute, type WallMinute } from './wall-time.js';
import type { Minute, ZoneClock } from './zone-clock.js';

/** More than a zone has ever changed by at once, and more than any offset from UTC. */
const MARGIN = 26 * 60;

/**
 * The first moment after `after` at which an expression is due by the clocks of a zone; null where there is none. As
 * cron does it, with a fixed hour: a time that the clocks skip is due when they jump, and one that they show twice is
 * due the first time. Otherwise it is due as often as the clocks show it.
 */
export function nextInstant(expression: CronExpression, zone: ZoneClock, after: Minute): Minute | null {
  return expression.followsTheClock
    ? nextShown(expression, zone, after)
    : nextReached(expression, zone, after);
}

/** The last moment from `from` to `until` at which it is due, or null. */
export function lastInstant(
  expression: CronExpression,
  zone: ZoneClock,
  from: Minute,
  until: Minute,
): Minute | null {
  const isDue = (after: Minute): boolean => (nextInstant(expression, zone, after) ?? Infinity) <= until;
  let low = from - 1;
  if (!isDue(low)) return null;
  let high = until;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isDue(middle)) low = middle;
    else high = middle;
  }
  return nextInstant(expression, zone, low);
}

/** How often it is due from `from` up to but not including `to`. Counted by days, so that long times take no longer. */
export function countInstants(expression: CronExpression, zone: ZoneClock, from: Minute, to: Minute): number {
  let count = 0;
  for (let begin = from; begin < to;) {
    const end = zone.nextChange(begin, to) ?? to;
    // Shortly after a change of the clocks each moment is looked at; later ones are as regular as the calendar.
    const regular = Math.min(end, Math.max(begin, (lastChange(zone, begin) ?? -Infinity) + MARGIN));
    for (let at = nextInstant(expression, zone, begin - 1); at !== null && at < regular;) {
      count++;
      at = nextInstant(expression, zone, at);
    }
    const offset = zone.offsetAt(begin);
    count += countWallMinutes(expression, regular + offset, end + offset);
    begin = end;
  }
  return count;
}

function nextShown(expression: CronExpression, zone: ZoneClock, after: Minute): Minute | null {
  for (let begin = after + 1; ;) {
    const offset = zone.offsetAt(begin);
    const change = zone.nextChange(begin, begin + MARGIN);
    const wall = nextWallMinute(expression, begin + offset);
    if (wall === null) return null;
    const at = wall - offset;
    if (at < (change ?? begin + MARGIN)) return at;
    // Only a change shortly before it can bring another moment forward.
    begin = change ?? Math.max(begin + MARGIN, at - MARGIN);
  }
}

function nextReached(expression: CronExpression, zone: ZoneClock, after: Minute): Minute | null {
  const wall = nextWallMinute(expression, latestShown(zone, after) + 1);
  return wall === null ? null : firstReached(zone, wall);
}

/** The latest time that the clocks have shown by then: what they show, or what they showed before they were turned back. */
function latestShown(zone: ZoneClock, at: Minute): WallMinute {
  let latest = at + zone.offsetAt(at);
  for (let change = zone.nextChange(at - MARGIN, at); change !== null; change = zone.nextChange(change, at)) {
    latest = Math.max(latest, change - 1 + zone.offsetAt(change - 1));
  }
  return latest;
}

/** When the clocks first show a time or a later one. */
function firstReached(zone: ZoneClock, wall: WallMinute): Minute {
  for (let begin = wall - MARGIN; ;) {
    const at = Math.max(begin, wall - zone.offsetAt(begin));
    const change = zone.nextChange(begin, at);
    if (change === null) return at;
    begin = change;
  }
}

function lastChange(zone: ZoneClock, at: Minute): Minute | null {
  let last: Minute | null = null;
  for (let change = zone.nextChange(at - MARGIN, at); change !== null; change = zone.nextChange(change, at)) {
    last = change;
  }
  return last;
}
