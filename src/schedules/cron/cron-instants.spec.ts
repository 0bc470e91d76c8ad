import { describe, expect, it } from 'vitest';

import { parseCron } from './parse-cron.js';
import { nextInstant } from './cron-instants.js';
import { iso, minute } from './iso-minutes.fixture.js';
import { type Minute, ZoneClock } from './zone-clock.js';

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
