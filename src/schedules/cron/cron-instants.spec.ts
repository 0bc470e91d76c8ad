import { describe, expect, it } from 'vitest';

import type { CronExpression } from './cron-expression.js';
import { parseCron } from './parse-cron.js';
import { countInstants, lastInstant, nextInstant } from './cron-instants.js';
import { dayMatches } from './wall-time.js';
import { type Minute, ZoneClock } from './zone-clock.js';

const minute = (iso: string): Minute => Date.parse(iso.length === 16 ? `${iso}Z` : iso) / 60_000;
const iso = (at: Minute | null): string | null =>
  at === null ? null : new Date(at * 60_000).toISOString().slice(0, 16);

/** The next moments, in UTC. */
function moments(cron: string, zone: string, after: string, count: number): (string | null)[] {
  const expression = parseCron(cron);
  const found: (string | null)[] = [];
  for (let at: Minute | null = minute(after); at !== null && found.length < count;) {
    at = nextInstant(expression, ZoneClock.of(zone), at);
    found.push(iso(at));
  }
  return found;
}

describe('without changes of the clocks', () => {
  it.each([
    ['* * * * *', 'UTC', '2025-01-01T00:00', ['2025-01-01T00:01', '2025-01-01T00:02']],
    ['*/20 8-9 * * *', 'UTC', '2025-01-01T09:20', ['2025-01-01T09:40', '2025-01-02T08:00']],
    ['0 0 1 1 *', 'UTC', '2025-01-01T00:00', ['2026-01-01T00:00', '2027-01-01T00:00']],
    ['30 9 * * *', 'Asia/Kathmandu', '2025-06-01T00:00', ['2025-06-01T03:45', '2025-06-02T03:45']],
    ['0 * * * *', 'Asia/Kathmandu', '2025-06-01T00:00', ['2025-06-01T00:15', '2025-06-01T01:15']],
    ['0 0 * * *', 'Pacific/Kiritimati', '2025-06-01T00:00', ['2025-06-01T10:00', '2025-06-02T10:00']],
    ['0 23 31 12 *', 'Etc/GMT+12', '2025-01-02T00:00', ['2026-01-01T11:00', '2027-01-01T11:00']],
    ['0 12 31 * *', 'UTC', '2025-01-31T12:00', ['2025-03-31T12:00', '2025-05-31T12:00']],
    ['0 0 29 2 *', 'UTC', '2025-01-01T00:00', ['2028-02-29T00:00', '2032-02-29T00:00']],
    ['0 */2 29 2 *', 'UTC', '2096-03-01T00:00', ['2104-02-29T00:00', '2104-02-29T02:00']],
    ['0 0 29 2 */7', 'UTC', '2025-01-01T00:00', ['2032-02-29T00:00', '2060-02-29T00:00']],
  ])('%s in %s after %s', (cron, zone, after, expected) =>
    expect(moments(cron, zone, after, expected.length)).toEqual(expected),
  );

  it('takes either day where both are restricted: the 13th, and each Friday', () =>
    expect(moments('0 0 13 * 5', 'UTC', '2025-06-06T00:00', 4)).toEqual([
      '2025-06-13T00:00',
      '2025-06-20T00:00',
      '2025-06-27T00:00',
      '2025-07-04T00:00',
    ]));

  it('takes both where one begins with a star: Mondays with an odd date', () =>
    expect(moments('0 0 */2 * 1', 'UTC', '2025-06-01T00:00', 3)).toEqual([
      '2025-06-09T00:00',
      '2025-06-23T00:00',
      '2025-07-07T00:00',
    ]));

  it('takes 30 February for no day, and the Mondays beside it', () =>
    expect(moments('0 0 30 2 1', 'UTC', '2025-01-01T00:00', 2)).toEqual([
      '2025-02-03T00:00',
      '2025-02-10T00:00',
    ]));
});

describe('when the clocks go forward', () => {
  // Berlin: 2025-03-30 01:00 UTC, 02:00 becomes 03:00.
  it.each([
    ['30 2 * * *', ['2025-03-29T01:30', '2025-03-30T01:00', '2025-03-31T00:30']],
    ['0 2 * * *', ['2025-03-29T01:00', '2025-03-30T01:00', '2025-03-31T00:00']],
    ['0 3 * * *', ['2025-03-29T02:00', '2025-03-30T01:00', '2025-03-31T01:00']],
    ['59 1 * * *', ['2025-03-29T00:59', '2025-03-30T00:59', '2025-03-30T23:59']],
    // Three times that are skipped and one that is not are one moment.
    ['0,20,40 2,3 30 3 *', ['2025-03-30T01:00', '2025-03-30T01:20', '2025-03-30T01:40']],
    ['15 2,4 30 3 *', ['2025-03-30T01:00', '2025-03-30T02:15', '2026-03-30T00:15']],
    ['30 * * * *', ['2025-03-29T00:30', '2025-03-29T01:30']],
  ])('%s in Berlin', (cron, expected) =>
    expect(moments(cron, 'Europe/Berlin', '2025-03-28T23:59', expected.length)).toEqual(expected),
  );

  it.each([
    ['30 * * * *', ['2025-03-29T23:30', '2025-03-30T00:30', '2025-03-30T01:30']],
    ['30 */2 * * *', ['2025-03-29T23:30', '2025-03-30T02:30', '2025-03-30T04:30']],
    ['30 1-4/1 * * *', ['2025-03-30T00:30', '2025-03-30T01:30', '2025-03-30T02:30', '2025-03-30T23:30']],
    ['*/30 * * * *', ['2025-03-29T23:30', '2025-03-30T00:00', '2025-03-30T00:30', '2025-03-30T01:00']],
  ])('%s in Berlin follows the clock', (cron, expected) =>
    expect(moments(cron, 'Europe/Berlin', '2025-03-29T23:00', expected.length)).toEqual(expected),
  );

  it('half an hour on Lord Howe: 02:15 is due at 02:30', () =>
    expect(moments('15 2 * * *', 'Australia/Lord_Howe', '2025-10-03T15:45', 2)).toEqual([
      '2025-10-04T15:30',
      '2025-10-05T15:15',
    ]));

  it('New York', () =>
    expect(moments('30 2 * * *', 'America/New_York', '2025-03-08T12:00', 2)).toEqual([
      '2025-03-09T07:00',
      '2025-03-10T06:30',
    ]));

  it('a whole day in Apia: 30 December 2011 was not, so it is due at the beginning of the 31st', () => {
    expect(moments('0 12 30 12 *', 'Pacific/Apia', '2011-01-01T00:00', 2)).toEqual([
      '2011-12-30T10:00',
      '2012-12-29T22:00',
    ]);
    expect(moments('0 12 * * *', 'Pacific/Apia', '2011-12-29T00:00', 3)).toEqual([
      '2011-12-29T22:00',
      '2011-12-30T10:00',
      '2011-12-30T22:00',
    ]);
    expect(moments('0 */12 * * *', 'Pacific/Apia', '2011-12-29T00:00', 3)).toEqual([
      '2011-12-29T10:00',
      '2011-12-29T22:00',
      '2011-12-30T10:00',
    ]);
  });

  it('a midnight that is skipped: Beirut', () =>
    expect(moments('0 0 * * *', 'Asia/Beirut', '2025-03-28T23:00', 3)).toEqual([
      '2025-03-29T22:00',
      '2025-03-30T21:00',
      '2025-03-31T21:00',
    ]));
});

describe('when the clocks go back', () => {
  // Berlin: 2025-10-26 01:00 UTC, 03:00 becomes 02:00.
  it.each([
    ['30 2 * * *', ['2025-10-25T00:30', '2025-10-26T00:30', '2025-10-27T01:30']],
    ['0 3 * * *', ['2025-10-25T01:00', '2025-10-26T02:00', '2025-10-27T02:00']],
    ['59 2,3 26 10 *', ['2025-10-26T00:59', '2025-10-26T02:59']],
    [
      '*/30 1-3 26 10 *',
      ['2025-10-25T23:00', '2025-10-25T23:30', '2025-10-26T00:00', '2025-10-26T00:30', '2025-10-26T02:00'],
    ],
  ])('%s in Berlin is due once', (cron, expected) =>
    expect(moments(cron, 'Europe/Berlin', '2025-10-24T22:30', expected.length)).toEqual(expected),
  );

  it.each([
    ['30 * * * *', ['2025-10-25T23:30', '2025-10-26T00:30', '2025-10-26T01:30', '2025-10-26T02:30']],
    ['30 */2 * * *', ['2025-10-26T00:30', '2025-10-26T01:30', '2025-10-26T03:30']],
  ])('%s in Berlin follows the clock', (cron, expected) =>
    expect(moments(cron, 'Europe/Berlin', '2025-10-25T23:00', expected.length)).toEqual(expected),
  );

  it('begins in the repeated hour: what was due in its first half is not due again', () => {
    expect(moments('30 2 * * *', 'Europe/Berlin', '2025-10-26T00:45', 1)).toEqual(['2025-10-27T01:30']);
    expect(moments('30 2 * * *', 'Europe/Berlin', '2025-10-26T01:10', 1)).toEqual(['2025-10-27T01:30']);
    expect(moments('30 */1 * * *', 'Europe/Berlin', '2025-10-26T01:10', 1)).toEqual(['2025-10-26T01:30']);
  });

  it('half an hour on Lord Howe: 01:45 is shown twice and due once', () => {
    expect(moments('45 1 * * *', 'Australia/Lord_Howe', '2025-04-04T15:00', 3)).toEqual([
      '2025-04-05T14:45',
      '2025-04-06T15:15',
      '2025-04-07T15:15',
    ]);
    expect(moments('45 * * * *', 'Australia/Lord_Howe', '2025-04-05T14:00', 3)).toEqual([
      '2025-04-05T14:45',
      '2025-04-05T15:15',
      '2025-04-05T16:15',
    ]);
  });

  it('twice a year more for Ramadan in Casablanca', () => {
    expect(moments('30 2 * * *', 'Africa/Casablanca', '2025-02-22T12:00', 2)).toEqual([
      '2025-02-23T01:30',
      '2025-02-24T02:30',
    ]);
    expect(moments('30 2 * * *', 'Africa/Casablanca', '2025-04-05T12:00', 2)).toEqual([
      '2025-04-06T02:00',
      '2025-04-07T01:30',
    ]);
  });
});

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
    for (let round = 0; round < 80; round++) {
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
