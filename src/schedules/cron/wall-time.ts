import type { CronExpression } from './cron-expression.js';

/** A time that a clock on the wall shows, as minutes since 1970-01-01 00:00 of that clock. */
export type WallMinute = number;

const DAY = 1440;
/** Days repeat with their weekdays every 400 years. */
const SEARCHED_DAYS = 146_097;

type DayFields = Pick<CronExpression, 'daysOfMonth' | 'months' | 'daysOfWeek' | 'eitherDay'>;

/** @param day days since 1970-01-01 */
export function dayMatches({ daysOfMonth, months, daysOfWeek, eitherDay }: DayFields, day: number): boolean {
  const date = new Date(day * 86_400_000);
  if (!months.has(date.getUTCMonth() + 1)) return false;
  const byMonth = daysOfMonth.has(date.getUTCDate());
  const byWeek = daysOfWeek.has(date.getUTCDay());
  return eitherDay ? byMonth || byWeek : byMonth && byWeek;
}

/** The first time that fits, at `from` or later; null where there is none. */
export function nextWallMinute(expression: CronExpression, from: WallMinute): WallMinute | null {
  const { times } = expression;
  const today = Math.floor(from / DAY);
  if (dayMatches(expression, today)) {
    const place = placeOf(times, from - today * DAY);
    if (place < times.length) return today * DAY + times[place]!;
  }
  for (let day = today + 1; day <= today + SEARCHED_DAYS; day++) {
    if (dayMatches(expression, day)) return day * DAY + times[0]!;
    day += daysToSkip(expression, day);
  }
  return null;
}

/** How many times fit, from `from` up to but not including `to`. */
export function countWallMinutes(expression: CronExpression, from: WallMinute, to: WallMinute): number {
  const { times } = expression;
  let count = 0;
  for (let day = Math.floor(from / DAY); day * DAY < to; day++) {
    if (!dayMatches(expression, day)) continue;
    count += placeOf(times, to - day * DAY) - placeOf(times, from - day * DAY);
  }
  return count;
}

/** The rest of a month that is not asked for. */
function daysToSkip({ months }: CronExpression, day: number): number {
  const date = new Date(day * 86_400_000);
  const month = date.getUTCMonth();
  if (months.has(month + 1)) return 0;
  return new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate() - date.getUTCDate();
}

/** How many of the ascending numbers are below a limit. */
function placeOf(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
