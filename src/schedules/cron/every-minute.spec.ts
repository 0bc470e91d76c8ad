import { describe, expect, it } from 'vitest';

import { rounds } from '../../../libs/fuzz/index.js';
import type { CronExpression } from './cron-expression.js';
import { countInstants, lastInstant, nextInstant } from './cron-instants.js';
import { iso, minute } from './iso-minutes.fixture.js';
import { parseCron } from './parse-cron.js';
import { dayMatches } from './wall-time.js';
import { type Minute, ZoneClock } from './zone-clock.js';

/** Every minute's time on the wall, by another way than the one that is tested. */
function wallClock(zone: string): (at: Minute) => number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  return (at) => {
    const [day, month, year, hour, minutes] = format
      .format(at * 60_000)
      .match(/\d+/g)!
      .map(Number);
    return Date.UTC(year!, month! - 1, day, hour, minutes) / 60_000;
  };
}

/** Minute by minute, as a clock on the wall with a cron beside it would. */
function bruteForce(
  expression: CronExpression,
  walls: readonly number[],
  from: Minute,
  lookBack: number,
): Minute[] {
  const times = new Set(expression.times);
  const fits = (wall: number): boolean =>
    times.has(((wall % 1440) + 1440) % 1440) && dayMatches(expression, Math.floor(wall / 1440));
  const due: Minute[] = [];
  let latest = walls[0]!;
  walls.forEach((wall, index) => {
    let isDue = false;
    if (expression.followsTheClock) isDue = fits(wall);
    else for (let passed = latest + 1; passed <= wall; passed++) isDue ||= fits(passed);
    latest = Math.max(latest, wall);
    if (isDue && index >= lookBack) due.push(from - lookBack + index);
  });
  return due;
}

/** The same numbers each time. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

describe('against a look at every minute', () => {
  const SPANS: [string, string][] = [
    ['Europe/Berlin', '2025-03-29T00:00'],
    ['Europe/Berlin', '2025-10-25T00:00'],
    ['America/New_York', '2024-03-09T00:00'],
    ['America/New_York', '2024-11-02T00:00'],
    ['Australia/Lord_Howe', '2025-04-04T12:00'],
    ['Australia/Lord_Howe', '2025-10-03T12:00'],
    ['Asia/Kathmandu', '2024-02-28T00:00'],
    ['Africa/Casablanca', '2025-02-22T00:00'],
    ['Africa/Casablanca', '2025-04-05T00:00'],
    ['Pacific/Apia', '2011-12-29T00:00'],
    ['Asia/Beirut', '2025-03-29T00:00'],
    ['Asia/Beirut', '2025-10-25T00:00'],
    ['America/St_Johns', '2010-11-06T12:00'],
    ['Antarctica/Troll', '2025-03-29T12:00'],
    ['America/Sao_Paulo', '2018-11-03T12:00'],
    ['America/Sao_Paulo', '2018-12-31T00:00'],
    ['Asia/Pyongyang', '2015-08-13T12:00'],
    ['America/Caracas', '2007-12-08T12:00'],
  ];
  const DAYS = 3;
  const LOOK_BACK = 2 * 1440;

  it.each(SPANS)('%s from %s', (zone, begin) => {
    const clock = ZoneClock.of(zone);
    const show = wallClock(zone);
    const from = minute(begin);
    const to = from + DAYS * 1440;
    const walls = Array.from({ length: to - from + LOOK_BACK }, (_, index) => show(from - LOOK_BACK + index));
    const pick = random(from);
    const item = (first: number, last: number): string => {
      const [one, other] = [first + pick(last - first + 1), first + pick(last - first + 1)].sort(
        (a, b) => a - b,
      );
      return [`${one}`, `${one}-${other}`, `${one}-${other}/${1 + pick(5)}`, `*/${1 + pick(last)}`, '*'][
        pick(5)
      ]!;
    };
    const field = (first: number, last: number): string =>
      Array.from({ length: 1 + pick(3) }, () => item(first, last)).join(',');
    for (let round = 0; round < rounds(80); round++) {
      const days = pick(3) > 0 ? ['*', '*', '*'] : [field(1, 28), '*', pick(2) ? '*' : field(0, 6)];
      const hour = pick(2) ? field(0, 23) : `${pick(4)},${pick(24)}`;
      const cron = [field(0, 59), hour, ...days].join(' ');
      const expression = parseCron(cron);
      const expected = bruteForce(expression, walls, from, LOOK_BACK);
      const found: Minute[] = [];
      for (let at = nextInstant(expression, clock, from - 1); at !== null && at < to;) {
        found.push(at);
        at = nextInstant(expression, clock, at);
      }
      expect(found.map(iso), cron).toEqual(expected.map(iso));
      const middle = from + pick(to - from);
      const before = expected.filter((at) => at < middle);
      const after = expected.filter((at) => at >= middle);
      expect(countInstants(expression, clock, from, middle), cron).toBe(before.length);
      expect(countInstants(expression, clock, middle, to), cron).toBe(after.length);
      expect(lastInstant(expression, clock, from, middle - 1), cron).toBe(before.at(-1) ?? null);
    }
  });

  it('counts a year with its changes as one by one', () => {
    const [from, to] = [minute('2025-01-15T07:31'), minute('2026-01-20T11:02')];
    for (const zone of ['Europe/Berlin', 'Africa/Casablanca', 'Australia/Lord_Howe']) {
      for (const cron of ['*/7 * * * *', '10,50 1-3 * * *', '30 2 1-7 * mon', '0 */5 * 3,10 *']) {
        const expression = parseCron(cron);
        let count = 0;
        let at = nextInstant(expression, ZoneClock.of(zone), from - 1);
        for (; at !== null && at < to; at = nextInstant(expression, ZoneClock.of(zone), at)) count++;
        expect(countInstants(expression, ZoneClock.of(zone), from, to), `${cron} ${zone}`).toBe(count);
      }
    }
  });
});
