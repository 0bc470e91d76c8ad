import type { CronExpression } from './cron-expression.js';
import { parseCron } from './parse-cron.js';
import { countInstants, lastInstant, nextInstant } from './cron-instants.js';
import { type Minute, ZoneClock } from './zone-clock.js';

const MINUTE_MS = 60_000;
const MOST_EXPRESSIONS = 10_000;

/** What is to be done about a schedule that is due. */
export interface FiringPlan {
  /** When it is due again; null: never. */
  next: Date | null;
  /** The times that were missed, without the latest one, which runs now. */
  missed: { from: Date; to: Date; count: number } | null;
}

const expressions = new Map<string, CronExpression>();

/**
 * When a schedule is due next, after a moment.
 *
 * @throws InvalidCron, RangeError where the expression or the zone cannot be read
 */
export function nextRunAt(cron: string, timezone: string, after: Date): Date | null {
  return dateOf(nextInstant(expressionOf(cron), ZoneClock.of(timezone), floor(after)));
}

const MOST_PREVIEWED = 5;

/**
 * The next five times, fewer where there are not as many.
 *
 * @throws InvalidCron, RangeError where the expression or the zone cannot be read
 */
export function nextRuns(cron: string, timezone: string, after: Date): Date[] {
  const times: Date[] = [];
  for (let next = nextRunAt(cron, timezone, after); next; next = nextRunAt(cron, timezone, next)) {
    times.push(next);
    if (times.length === MOST_PREVIEWED) break;
  }
  return times;
}

/**
 * `first` and the times after it, before `until`: at most `most`.
 *
 * @throws InvalidCron, RangeError where the expression or the zone cannot be read
 */
export function runsUntil(cron: string, timezone: string, first: Date, until: Date, most: number): Date[] {
  const times: Date[] = [];
  for (let next: Date | null = first; next && next < until; next = nextRunAt(cron, timezone, next)) {
    if (times.push(next) === most) break;
  }
  return times;
}

/**
 * @param due when it was to run
 * @param now later than `due`, or the same
 */
export function planFiring(cron: string, timezone: string, due: Date, now: Date): FiringPlan {
  const expression = expressionOf(cron);
  const zone = ZoneClock.of(timezone);
  const next = dateOf(nextInstant(expression, zone, floor(now)));
  const from = Math.ceil(due.getTime() / MINUTE_MS);
  const latest = lastInstant(expression, zone, from, floor(now));
  const count = latest === null ? 0 : countInstants(expression, zone, from, latest);
  if (count === 0) return { next, missed: null };
  const first = nextInstant(expression, zone, from - 1);
  const last = lastInstant(expression, zone, from, latest! - 1);
  return { next, missed: { from: dateOf(first)!, to: dateOf(last)!, count } };
}

/** Plans for one moment, each computed once: thousands that are due in the same minute have few expressions and zones. */
export class FiringPlans {
  private readonly plans = new Map<string, FiringPlan>();

  constructor(private readonly now: Date) {}

  /** @throws InvalidCron, RangeError where the expression or the zone cannot be read */
  of({ cron, timezone, due }: { cron: string; timezone: string; due: Date }): FiringPlan {
    const key = `${cron}\n${timezone}\n${due.getTime()}`;
    let plan = this.plans.get(key);
    if (!plan) {
      plan = planFiring(cron, timezone, due, this.now);
      this.plans.set(key, plan);
    }
    return plan;
  }
}

function expressionOf(cron: string): CronExpression {
  let expression = expressions.get(cron);
  if (!expression) {
    expression = parseCron(cron);
    if (expressions.size >= MOST_EXPRESSIONS) expressions.clear();
    expressions.set(cron, expression);
  }
  return expression;
}

function floor(date: Date): Minute {
  return Math.floor(date.getTime() / MINUTE_MS);
}

function dateOf(minute: Minute | null): Date | null {
  return minute === null ? null : new Date(minute * MINUTE_MS);
}
