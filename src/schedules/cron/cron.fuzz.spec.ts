import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzz } from '../../../libs/fuzz/index.js';
import type { CronExpression } from './cron-expression.js';
import { InvalidCron, parseCron } from './parse-cron.js';
import { countInstants, lastInstant, nextInstant } from './cron-instants.js';
import { type Minute, ZoneClock } from './zone-clock.js';

const DAY = 1440;
const UTC = ZoneClock.of('UTC');

const pieces = [
  '*',
  '0',
  '7',
  '59',
  '60',
  '31',
  '1-5',
  '5-1',
  '*/2',
  '*/0',
  '1,3',
  ',',
  '-',
  '/',
  'mon',
  'jan',
];
const cronText = fc.oneof(
  fc
    .array(fc.constantFrom(...pieces, 'fri-sun', '@daily', '@reboot', 'L', '?', '#', ' '), { maxLength: 8 })
    .map((parts) => parts.join(' ')),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** A field that is sure to be read: a list of numbers, ranges and steps. */
function field(first: number, last: number): fc.Arbitrary<string> {
  const value = fc.integer({ min: first, max: last });
  const item = fc.oneof(
    value.map(String),
    fc.tuple(value, value).map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`),
    fc.integer({ min: 1, max: 20 }).map((step) => `*/${step}`),
  );
  return fc.oneof(
    fc.constant('*'),
    fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(',')),
  );
}
const goodCron = fc
  .tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6))
  .map((fields) => fields.join(' '));
const minute = fc.integer({ min: Date.UTC(1990, 0) / 60_000, max: Date.UTC(2090, 0) / 60_000 });

/** The rule of cron for one minute of UTC, straight from its manual. */
function isDue({ times, months, daysOfMonth, daysOfWeek, eitherDay }: CronExpression, at: Minute): boolean {
  const date = new Date(at * 60_000);
  const byMonthDay = daysOfMonth.has(date.getUTCDate());
  const byWeekday = daysOfWeek.has(date.getUTCDay());
  return (
    times.includes(at % DAY) &&
    months.has(date.getUTCMonth() + 1) &&
    (eitherDay ? byMonthDay || byWeekday : byMonthDay && byWeekday)
  );
}

describe('the cron reader, fuzzed', () => {
  it('reads any text or says what is wrong with it', () =>
    fuzz(
      'cron reader',
      fc.property(cronText, (text) => {
        try {
          expect(nextInstant(parseCron(text), UTC, 0)).not.toBeNull();
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidCron);
        }
      }),
      { runs: 1_000 },
    ));

  it('finds what looking at every minute finds', () =>
    fuzz(
      'cron instants',
      fc.property(goodCron, minute, (text, from) => {
        const expression = parseCron(text);
        const until = from + 3 * DAY;
        const due: Minute[] = [];
        for (let at = from; at < until; at++) if (isDue(expression, at)) due.push(at);
        const next = nextInstant(expression, UTC, from - 1)!;
        expect(next < until ? next : undefined).toBe(due[0]);
        expect(lastInstant(expression, UTC, from, until - 1) ?? undefined).toBe(due.at(-1));
        expect(countInstants(expression, UTC, from, until)).toBe(due.length);
      }),
      { runs: 150 },
    ));

  it('goes forward and is due when it says, in zones whose clocks change', () =>
    fuzz(
      'cron in zones',
      fc.property(
        goodCron,
        minute,
        fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu'),
        (text, from, zone) => {
          const clock = ZoneClock.of(zone);
          const expression = parseCron(text);
          const next = nextInstant(expression, clock, from)!;
          expect(next).toBeGreaterThan(from);
          expect(nextInstant(expression, clock, next - 1)).toBe(next);
        },
      ),
      { runs: 500 },
    ));
});
