import { describe, expect, it } from 'vitest';

import { zoneName } from './time-zone.js';

describe('zoneName', () => {
  it.each(Intl.supportedValuesOf('timeZone'))('takes %s', (zone) => expect(zoneName(zone)).toBe(zone));

  it.each([
    ['UTC', 'UTC'],
    ['utc', 'UTC'],
    ['GMT', 'GMT'],
    ['EST', 'EST'],
    ['EST5EDT', 'EST5EDT'],
    ['US/Eastern', 'US/Eastern'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/Kyiv', 'Europe/Kyiv'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
    ['Etc/GMT-14', 'Etc/GMT-14'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['europe/berlin', 'Europe/Berlin'],
    ['NZ-CHAT', 'NZ-CHAT'],
  ])('takes %s as %s', (text, zone) => expect(zoneName(text)).toBe(zone));

  it.each([
    '',
    'Z',
    'Berlin',
    'Europe',
    'Europe/',
    'Europe/Atlantis',
    'Europe/Berlin ',
    ' UTC',
    '+02:00',
    '-0500',
    '+02',
    'UTC+2',
    'GMT+2',
    'Etc/GMT+15',
    'PST',
    'CST',
    'IST',
    'JST',
    'SystemV/EST5',
    'local',
    'Etc/Unknown',
    'Europe/Berlin\0',
  ])('refuses %j', (text) => expect(zoneName(text)).toBeNull());
});
